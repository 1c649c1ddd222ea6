"""Commands that analyse a position keep its secrets until the end."""

import pytest
from kuhn import Kuhn

from parlour.commands.analyse import print_analysis
from parlour.commands.solve import print_solution
from parlour.table import ChanceSource, Table, TableError


def test_analysis_of_a_game_with_secrets_is_refused_before_its_end(capsys):
    table = Table(Kuhn(), seed=1, chance=ChanceSource.from_seed(1))
    for look in (lambda s: print_analysis(s, None, False, 3), print_solution):
        with pytest.raises(TableError, match="no analysis before the end"):
            look(table.state)
    while not table.is_over:
        table.play(table.state.legal_actions()[0])
    assert print_analysis(table.state, None, False, 3) == 1
    assert print_solution(table.state) == 1
    assert "secrets" not in capsys.readouterr().out
