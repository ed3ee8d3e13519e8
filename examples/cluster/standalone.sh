#!/usr/bin/env bash
# Audits decisions on a standalone cluster of Spark.
#
#   SPARK_MASTER=spark://HOST:7077 WHEEL=mqconform-0.1.0-py3-none-any.whl \
#       ./standalone.sh --directory enterprise.json --decisions /shared/decisions --out /shared/audited
#
# Every node has a Python of the driver's version with numpy, numba, pyarrow, pandas<3, click, rich and jsonschema, named by
# PYSPARK_PYTHON where it is not python3. The wheel travels with the job and is unpacked on every node, as Spark's workers
# import nothing from what --py-files calls .whl. /shared is the same folder on every node.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

held=$(mktemp -d)
trap 'rm -rf "$held"' EXIT
cp "${WHEEL:?the wheel of mqconform}" "$held/mqconform.zip"
"${PYSPARK_PYTHON:-python3}" -m zipfile -e "$held/mqconform.zip" "$held/unpacked"

PYTHONPATH="$held/unpacked${PYTHONPATH:+:$PYTHONPATH}" spark-submit \
    --master "${SPARK_MASTER:?the URL of the master, such as spark://HOST:7077}" \
    --archives "$held/mqconform.zip#mqconform_wheel" \
    --conf spark.executorEnv.PYTHONPATH=mqconform_wheel \
    --conf spark.executor.memory="${EXECUTOR_MEMORY:-2g}" \
    --conf spark.speculation=true \
    "$here/mqconform_job.py" audit routes "$@"
