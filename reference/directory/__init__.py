"""The directory as routing reads it (MS-MQBR 3.1.1.1): elements, readings, enterprise documents, and their check."""

from mqconform.reference.directory.check import Finding, check_directory, check_document
from mqconform.reference.directory.document import directory_from_document, document_from_directory
from mqconform.reference.directory.elements import (
    Directory,
    Enterprise,
    QueueManager,
    QueueManagerId,
    RoutingLink,
    RoutingLinkId,
    Site,
    SiteId,
)
from mqconform.reference.directory.fields import Problem, UnreadableDocument
from mqconform.reference.directory.reading import AttributeFilter, DirectoryView, Operator, ReadEvent

__all__ = [
    "AttributeFilter",
    "Directory",
    "DirectoryView",
    "Enterprise",
    "Finding",
    "Operator",
    "Problem",
    "QueueManager",
    "QueueManagerId",
    "ReadEvent",
    "RoutingLink",
    "RoutingLinkId",
    "Site",
    "SiteId",
    "UnreadableDocument",
    "check_directory",
    "check_document",
    "directory_from_document",
    "document_from_directory",
]
