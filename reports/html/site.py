"""Writes the site: pages from templates, what lies beside the results, and the front-end."""

import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from mqconform.harness.records.exit_codes import WORDS, ExitCode
from mqconform.harness.records.printable import visible, visible_lines, with_guids
from mqconform.harness.records.results import Finding
from mqconform.reports.formats.scope import declaration_rows, roles_text, word_of
from mqconform.reports.html import pages
from mqconform.reports.html.names import page_name
from mqconform.reports.html.register import published
from mqconform.reports.html.runs import STANDINGS, Run, read_runs

ASSETS: Final = ("site.css", "site.js", "minisearch.js")
CHARTS: Final = "echarts.min.js"
BUNDLE_FILES: Final = (
    "enterprise.json",
    "packets.pcapng",
    "allowed.json",
    "calls.ndjson",
    "timeline.txt",
)
"""What the site takes over from a failure bundle."""
LARGEST_BUNDLE_FILE: Final = 8 * 1024 * 1024
ABOUT: Final = ("since", "mutants")
Progress = Callable[[int, int], None]
"""Called with the pages written and the pages there will be."""


def write_site(
    results: Sequence[Path],
    out: Path,
    extras: Sequence["Extra"] = (),
    progress: Progress | None = None,
    about: Mapping[str, Mapping[str, Sequence[Any]]] | None = None,
) -> Path:
    """Write the site of some runs into ``out`` and return its first page.

    Args:
        results: result files, or the ``--out`` directories of runs.
        out: made if it is not there; pages of an earlier site in it are replaced.
        extras: further pages, such as comparisons and trends.
        progress: told after each page.
        about: what else is known of requirements: ``since`` and ``mutants``, each by requirement.

    Raises:
        ResultFault: a result file cannot be used.
        OSError: the site cannot be written.
    """
    runs = read_runs(results)
    writer = _Writer(out, runs, tuple(extra.link for extra in extras), progress or (lambda _done, _all: None))
    writer.write(extras, about or {})
    return out / "index.html"


class Extra:
    """A page beside those of the runs.

    Attributes:
        link: file name and title, for the navigation.
        template: name of its template.
        charts: whether it draws charts.
    """

    def __init__(
        self, name: str, title: str, template: str, values: Mapping[str, Any], *, charts: bool = False
    ) -> None:
        """Keep what the page is made of."""
        self.link = (f"{name}.html", title)
        self.template = template
        self.values = values
        self.charts = charts


class _Writer:
    def __init__(
        self, out: Path, runs: tuple[Run, ...], links: tuple[tuple[str, str], ...], progress: Progress
    ) -> None:
        self._out = out
        self._runs = runs
        self._links = links
        self._progress = progress
        self._done = 0
        self._all = 0
        self._templates = templates()

    def write(self, extras: Sequence[Extra], about: Mapping[str, Mapping[str, Sequence[Any]]]) -> None:
        requirements = pages.all_requirements(self._runs)
        cases = pages.all_cases_of(self._runs)
        self._all = 3 + len(requirements) + len(cases) + len(extras)
        self._prepare(charts=any(extra.charts for extra in extras))
        columns = [name for name in self._runs[0].tally if any(run.tally[name] for run in self._runs)]
        overviews = self._overviews()
        self._page("index.html", "overview.html", title="Overview", runs=overviews, columns=columns, page="index.html")
        self._page(
            "matrix.html",
            "matrix.html",
            title="Requirements",
            requirements=pages.worst_first(requirements, self._runs),
            page="matrix.html",
        )
        for finding in requirements.values():
            self._requirement(finding, {name: about.get(name, {}).get(finding.id, ()) for name in ABOUT})
        for case in cases:
            self._case(case)
        for extra in extras:
            name, title = extra.link
            self._page(name, extra.template, title=title, page=name, charts=extra.charts, **extra.values)
        self._search(requirements, cases)
        self._page("print.html", "print.html", title="Report", runs=overviews, page="print.html")

    def _prepare(self, *, charts: bool) -> None:
        for folder in ("requirement", "case", "bundle", "assets"):
            shutil.rmtree(self._out / folder, ignore_errors=True)
        for folder in ("requirement", "case", "assets"):
            (self._out / folder).mkdir(parents=True)
        copy_assets(self._out / "assets", (*ASSETS, *([CHARTS] if charts else [])))

    def _page(self, target: str, template: str, **values: Any) -> None:
        root = "../" * target.count("/")
        context = {"root": root, "links": self._links, "all_runs": self._runs, "charts": False, **values}
        (self._out / target).write_text(self._templates.get_template(template).render(context), "utf-8")
        self._done += 1
        self._progress(self._done, self._all)

    def _overviews(self) -> list[dict[str, Any]]:
        views = [
            {
                "run": run,
                "word": word_of(run.file)[0],
                "roles": roles_text(run.file),
                "in_part": word_of(run.file)[0] != WORDS[ExitCode.OK].report,
                "declaration": declaration_rows(run.file),
                "sections": pages.sections(run),
                "failures": pages.first_failures(run),
                "undecided": pages.undecided(run),
                "remarks": pages.remarks(run),
            }
            for run in self._runs
        ]
        return sorted(views, key=lambda view: not view["failures"])

    def _requirement(self, finding: Finding, about: Mapping[str, Sequence[Any]]) -> None:
        page = pages.requirement_page(finding, self._runs)
        target = f"requirement/{page_name(finding.id)}.html"
        self._page(target, "requirement.html", title=finding.id, one=page, page="matrix.html", **about)

    def _case(self, case: str) -> None:
        views = pages.case_in_runs(case, self._runs)
        first = views[0].case
        self._page(
            f"case/{page_name(case)}.html",
            "case.html",
            title=case,
            scenario=f"{first.scenario} ({first.row})" if first.row else first.scenario,
            seen=views,
            steps=pages.steps(views),
            asked=pages.asked(first),
            bundles={view.run.label: self._bundle(number, view) for number, view in enumerate(views)},
            named=pages.named_requirements(views),
            page="matrix.html",
        )

    def _bundle(self, number: int, view: pages.CaseInRun) -> dict[str, str]:
        """Take a failure bundle over; return the links to its files by name."""
        folder = view.run.bundles.get(view.case.id)
        if folder is None:
            return {}
        place = Path("bundle") / f"{page_name(view.case.id)}.{number}"
        links = {}
        for name in BUNDLE_FILES:
            source = folder / name
            if source.is_file() and not source.is_symlink() and source.stat().st_size <= LARGEST_BUNDLE_FILE:
                (self._out / place).mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, self._out / place / name)
                links[name] = f"../{place.as_posix()}/{name}"
        return links

    def _search(self, requirements: Mapping[str, Any], cases: Mapping[str, Any]) -> None:
        rows = [
            {
                "id": number,
                "t": visible(finding.id),
                "s": visible(finding.summary),
                "u": f"requirement/{page_name(finding.id)}.html",
            }
            for number, finding in enumerate(requirements.values())
        ]
        rows += [
            {"id": number, "t": visible(case.id), "s": visible(case.scenario), "u": f"case/{page_name(case.id)}.html"}
            for number, case in enumerate(cases.values(), len(rows))
        ]
        text = json.dumps(rows, separators=(",", ":")).replace("<", "\\u003c")
        (self._out / "assets" / "search-index.js").write_text(f"window.mqSearchIndex = {text};\n", "ascii")


def templates() -> Environment:
    """Return the templates of all pages; every value that enters one is made visible and escaped."""
    made = Environment(
        loader=PackageLoader("mqconform.reports.html"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_visible,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals["standings"] = STANDINGS
    made.globals["page_name"] = page_name
    made.globals["published"] = published
    made.filters["json_data"] = _json_data
    made.filters["guids"] = with_guids
    made.filters["words"] = _words
    return made


def _visible(value: object) -> object:
    """Make every text that enters a page visible; escaping follows."""
    return visible_lines(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _words(value: object) -> str:
    """Return a value of a JSON object as people write it: lists with commas, objects as name and value."""
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_words(part)}" for name, part in value.items())
    if isinstance(value, list):
        return " ".join(map(_words, value))
    return str(value)


def _json_data(value: object) -> Markup:
    """Return a value as JSON that can stand in a script element."""
    return Markup(json.dumps(value).replace("<", "\\u003c").replace("&", "\\u0026"))  # noqa: S704 - nothing in it can end the element


def copy_assets(folder: Path, names: Sequence[str]) -> None:
    """Copy files of the front-end into a folder."""
    source = files("mqconform.reports.html").joinpath("assets")
    for name in names:
        (folder / name).write_bytes(source.joinpath(name).read_bytes())
