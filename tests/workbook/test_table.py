"""Tables of results, as a page shows them."""

from workbook.table import Table


def test_a_minus_sign_is_no_hyphen_on_a_page():
    table = Table([{"V": -599.2, "range": "-0.5 to -.25"}, {"V": None, "range": "2-5"}])
    assert table._repr_markdown_().splitlines()[2:] == ["| −599.2 | −0.5 to −.25 |", "| - | 2-5 |"]
    assert "<td>−599.2</td>" in table._repr_html_()
    assert "-599.2" in repr(table)
