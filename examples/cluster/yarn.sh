#!/usr/bin/env bash
# Audits decisions on YARN, with an environment that travels with the job: the nodes need nothing but Java.
#
#   python3 -m venv environment && environment/bin/pip install "$WHEEL[spark]" venv-pack
#   environment/bin/venv-pack -o environment.tar.gz
#   ./yarn.sh --directory enterprise.json --decisions hdfs:///soak/decisions --out hdfs:///soak/audited
#
# Tested up to the driver's first call to the resource manager; never run on a cluster.
#
# The tasks read hdfs:// through Arrow, which needs libhdfs and CLASSPATH on the nodes (hadoop classpath --glob). Without
# them put the decisions into a folder that all nodes mount, or onto s3:// or gs://, which need nothing.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

export PYSPARK_DRIVER_PYTHON=environment/bin/python
export PYSPARK_PYTHON=./environment/bin/python
exec spark-submit \
    --master yarn \
    --deploy-mode client \
    --archives "${ENVIRONMENT:-environment.tar.gz}#environment" \
    --num-executors "${EXECUTORS:-4}" \
    --executor-cores "${EXECUTOR_CORES:-4}" \
    --executor-memory "${EXECUTOR_MEMORY:-4g}" \
    --conf spark.executorEnv.CLASSPATH="$(hadoop classpath --glob 2>/dev/null || true)" \
    "$here/mqconform_job.py" audit routes "$@"
