"""Administration: the operator's command, limits and exports."""
