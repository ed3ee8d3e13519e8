"""Converting an enterprise file to another format or to another way of naming, without loss."""

from enum import Enum

from mqconform.harness.tools.enterprise.file import EnterpriseFile, Format, parsed
from mqconform.harness.tools.enterprise.naming import named_document
from mqconform.harness.tools.enterprise.writing import written
from mqconform.reference.directory import directory_from_document, document_from_directory


class Naming(Enum):
    """What stands for an object where another one refers to it."""

    AS_WRITTEN = "as written"
    NAMES = "names"
    IDS = "ids"


def converted(file: EnterpriseFile, form: Format, naming: Naming = Naming.AS_WRITTEN) -> str:
    """Return the text of a file in a format.

    The document stays as it is written, or is written anew with names or GUIDs. The text is read back before it is
    returned: what it describes is the same directory.
    """
    match naming:
        case Naming.AS_WRITTEN:
            document = dict(file.document)
        case Naming.NAMES:
            document = named_document(file.directory)
        case Naming.IDS:
            document = document_from_directory(file.directory)
    text = written(document, form)
    assert directory_from_document(parsed(text, form, len(text))) == file.directory, "nothing was lost"
    return text
