"""What is read of Active Directory: object classes, where they live, and the syntax of each attribute (MS-MQDSSM 2.2).

Keys, signatures and security descriptors are in no list: they are never asked for.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final


class Syntax(StrEnum):
    """How the octets of a value are read."""

    TEXT = "text"
    NAME = "distinguished name"
    GUID = "GUID"
    NUMBER = "number"
    FLAG = "flag"


class Place(StrEnum):
    """Which part of the directory holds the objects of a class."""

    SITES = "CN=Sites"
    SERVICES = "CN=Services"
    PARTITIONS = "CN=Partitions"
    DOMAINS = "domains"


@dataclass(frozen=True, slots=True)
class ObjectClass:
    """One class of objects.

    Attributes:
        name: as the schema of the directory spells it.
        attributes: what is read, by the schema's spelling.
        several: attributes of which an object may have several values; of others a second is a fault.
    """

    name: str
    place: Place
    attributes: Mapping[str, Syntax]
    several: frozenset[str] = frozenset()


def _class(name: str, place: Place, several: str = "", **attributes: Syntax) -> ObjectClass:
    every = {"objectGUID": Syntax.GUID} | attributes
    return ObjectClass(name, place, MappingProxyType(every), frozenset(several.split()))


_TEXT, _NAME, _GUID, _NUMBER, _FLAG = Syntax.TEXT, Syntax.NAME, Syntax.GUID, Syntax.NUMBER, Syntax.FLAG

ENTERPRISE: Final = _class(
    "mSMQEnterpriseSettings",
    Place.SERVICES,
    mSMQVersion=_NUMBER,
    mSMQLongLived=_NUMBER,
    mSMQNameStyle=_FLAG,
    mSMQCSPName=_TEXT,
)
SITE: Final = _class(
    "site",
    Place.SITES,
    several="mSMQSiteForeign mSMQNt4Stub",
    cn=_TEXT,
    mSMQSiteForeign=_FLAG,
    mSMQNt4Stub=_NUMBER,
    mSMQInterval1=_NUMBER,
    mSMQInterval2=_NUMBER,
)
LINK: Final = _class(
    "mSMQSiteLink",
    Place.SERVICES,
    several="mSMQSiteGates",
    mSMQSite1=_NAME,
    mSMQSite2=_NAME,
    mSMQCost=_NUMBER,
    mSMQSiteGates=_NAME,
    description=_TEXT,
)
QUEUE_MANAGER: Final = _class(
    "mSMQConfiguration",
    Place.DOMAINS,
    several="mSMQSites mSMQInRoutingServers mSMQOutRoutingServers",
    mSMQSites=_GUID,
    mSMQInRoutingServers=_NAME,
    mSMQOutRoutingServers=_NAME,
    mSMQRoutingServices=_FLAG,
    mSMQServiceType=_NUMBER,
    mSMQDsServices=_FLAG,
    mSMQDependentClientServices=_FLAG,
    mSMQForeign=_FLAG,
    mSMQOSType=_NUMBER,
    mSMQQuota=_NUMBER,
    mSMQJournalQuota=_NUMBER,
)
SETTINGS: Final = _class(
    "mSMQSettings",
    Place.SITES,
    mSMQQMID=_GUID,
    mSMQServices=_NUMBER,
    mSMQRoutingService=_FLAG,
    mSMQDsService=_FLAG,
    mSMQDependentClientService=_FLAG,
)
COMPUTER: Final = _class(
    "computer",
    Place.DOMAINS,
    several="servicePrincipalName",
    dNSHostName=_TEXT,
    servicePrincipalName=_TEXT,
)
PARTITION: Final = _class("crossRef", Place.PARTITIONS, nCName=_NAME, systemFlags=_NUMBER)
QUEUE: Final = _class("mSMQQueue", Place.DOMAINS, cn=_TEXT, mSMQLabel=_TEXT, mSMQTransactional=_FLAG)
DISTRIBUTION_LIST: Final = _class("msMQ-Group", Place.DOMAINS, several="member", cn=_TEXT, member=_NAME)
ALIAS: Final = _class("msMQ-Custom-Recipient", Place.DOMAINS, cn=_TEXT)

ROUTING_CLASSES: Final = (PARTITION, ENTERPRISE, SITE, LINK, SETTINGS, QUEUE_MANAGER, COMPUTER)
"""What an import reads, in this order: sites come before what names them."""

QUEUE_CLASSES: Final = (QUEUE, DISTRIBUTION_LIST, ALIAS)
"""What it reads besides, where public queues are asked for."""

BY_NAME: Final[Mapping[str, ObjectClass]] = MappingProxyType(
    {object_class.name.lower(): object_class for object_class in (*ROUTING_CLASSES, *QUEUE_CLASSES)}
)
