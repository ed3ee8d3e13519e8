"""What is to be generated, cut into chunks that do not depend on who generates them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from mqconform.reference.directory.document import document_from_directory
from mqconform.reports.vectors.decisions import decisions
from mqconform.reports.vectors.enterprises import VectorEnterprise, enterprise
from mqconform.reports.vectors.packets import packet

Record = dict[str, Any]

ENTERPRISES_IN_CHUNK: Final = 50
PACKETS_IN_CHUNK: Final = 5_000


@dataclass(frozen=True)
class Plan:
    """Everything that the vectors follow from.

    Attributes:
        enterprises: how many.
        pairs: questions for each enterprise.
        sites: sites of the largest enterprises.
        packets: how many.
        weights: verdict on each reading of the ambiguity register that packets may rest on.
    """

    seed: int
    enterprises: int
    pairs: int
    sites: int
    packets: int
    weights: Mapping[str, str] = field(default_factory=dict)

    @property
    def enterprise_chunks(self) -> int:
        """Number of chunks of enterprises."""
        return -(-self.enterprises // ENTERPRISES_IN_CHUNK)

    @property
    def chunks(self) -> int:
        """Number of chunks, those of enterprises first."""
        return self.enterprise_chunks - (-self.packets // PACKETS_IN_CHUNK)

    def chunk(self, number: int) -> Iterator[tuple[str, int, list[Record]]]:
        """Yield each table of a chunk: its name, the chunk's number in it, and its records."""
        if number < self.enterprise_chunks:
            made = [
                enterprise(self.seed, enterprise_number, self.sites)
                for enterprise_number in self._items(number, ENTERPRISES_IN_CHUNK)
            ]
            yield "enterprises", number, [_record(enterprise) for enterprise in made]
            asked = [record for enterprise in made for record in decisions(self.seed, enterprise, self.pairs)]
            yield "decisions", number, asked
            return
        place = number - self.enterprise_chunks
        numbers = range(place * PACKETS_IN_CHUNK, min(self.packets, (place + 1) * PACKETS_IN_CHUNK))
        yield "packets", place, [packet(self.seed, number, self.weights) for number in numbers]

    def _items(self, chunk: int, size: int) -> range:
        return range(chunk * size, min(self.enterprises, (chunk + 1) * size))


def _record(enterprise: VectorEnterprise) -> Record:
    return {
        "enterprise": enterprise.number,
        "shape": enterprise.shape,
        "oddities": list(enterprise.oddities),
        "directory": document_from_directory(enterprise.directory),
    }
