"""Several implementations, or one many times: who agrees with whom, and with the text?

A table asks *subjects* for what *inputs* of a role demand, takes their answers as *votes* that the model and an
independent oracle judge, lets *reduction* find the smallest input of a disagreement, and writes *lines* of JSON.
Those modules know no table; ``triangulate``, ``simulate``, ``matrix`` and ``mutation`` are tables, and know no command.
"""
