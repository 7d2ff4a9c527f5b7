"""Reading domino tables from pictures: detection, halves, joins, layouts. Knows no game."""
