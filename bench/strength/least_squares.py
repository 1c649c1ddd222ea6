"""Least squares for the scripts that fit an evaluation."""

import numpy as np


def report(title, rows, results, names):
    """Print the least-squares weights, each with its standard error in brackets."""
    x, y = np.vstack(rows), np.concatenate(results)
    normal = x.T @ x + np.eye(x.shape[1]) * 1e-6
    weights = np.linalg.solve(normal, x.T @ y)
    rest = (y - x @ weights).var()
    errors = np.sqrt(np.diag(np.linalg.inv(normal)) * rest)
    found = zip(names, weights, errors, strict=True)
    text = "  ".join(f"{name} {weight:+.4f} ({error:.4f})" for name, weight, error in found)
    print(f"{title}: {len(y)} samples, {1 - rest / y.var():.0%} explained: {text}", flush=True)
