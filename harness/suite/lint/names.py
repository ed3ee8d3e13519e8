"""Rules about names: what results call a case is the name of one case only."""

from collections import Counter
from collections.abc import Iterator, Sequence

from mqconform.harness.suite.feature_text import FeatureText, Finding
from mqconform.harness.suite.naming import slug


def check_names(features: Sequence[FeatureText]) -> Iterator[Finding]:
    """Yield features and scenarios that share the name which results have for them."""
    files = Counter(feature.name for feature in features)
    for feature in features:
        if files[feature.name] > 1:
            yield feature.finding(1, "duplicate-feature", f"another file is {feature.name} as well; rename one")
        names = Counter(slug(scenario.name) for scenario in feature.scenarios)
        for scenario in feature.scenarios:
            if names[slug(scenario.name)] > 1:
                told = f"{scenario.name!r} is {slug(scenario.name)!r} in results, and so is another; rename one"
                yield feature.finding(scenario.line, "duplicate-scenario", told)
