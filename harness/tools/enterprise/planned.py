"""The second version of a comparison: an enterprise, or a list of changes of the first one."""

from collections.abc import Mapping

from mqconform.harness.tools.enterprise.file import EnterpriseFile, enterprise_in, read_document
from mqconform.harness.tools.enterprise.source import SourceOptions, is_source, open_enterprise
from mqconform.reference.directory import UnreadableDocument, document_from_directory
from mqconform.reference.directory.planned import CHANGES, changed_directory


def open_change(name: str, before: EnterpriseFile, options: SourceOptions) -> EnterpriseFile:
    """Read an enterprise from wherever it is, or make the changes that a file lists.

    Raises:
        UnreadableEnterprise: the file cannot be read or understood.
        ConfigurationError: a directory cannot be read.
    """
    if is_source(name):
        return open_enterprise(name, options)
    written = read_document(name, options.max_size)
    if not isinstance(written.document, Mapping) or CHANGES not in written.document:
        return enterprise_in(written)
    try:
        directory = changed_directory(before.directory, written.document)
    except UnreadableDocument as unreadable:
        raise written.unreadable(unreadable) from unreadable
    return EnterpriseFile(name, written.format, written.text, document_from_directory(directory), directory)
