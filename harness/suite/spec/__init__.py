"""The catalogue held against the text it stands on.

A specification's text reaches users through several conversions: page text, markdown with links, stripped copies.
`normalise` removes what a conversion adds, `blocks` finds sections and paragraphs, `segments` cuts
them, `document` reads a file as a list of segments with one SHA-256 each. `check` proves a catalogue against one file,
`diff` compares two revisions, `anchor` writes the hashes into a catalogue.
"""
