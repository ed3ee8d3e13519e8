#!/usr/bin/env bash
# Audits decisions on Kubernetes, in an image built from the Dockerfile beside this script.
#
#   cp mqconform-0.1.0-py3-none-any.whl . && docker build -t REGISTRY/mqconform-spark . && docker push REGISTRY/mqconform-spark
#   KUBERNETES=https://HOST:6443 IMAGE=REGISTRY/mqconform-spark CLAIM=decisions \
#       ./kubernetes.sh --directory /shared/enterprise.json --decisions /shared/decisions --out /shared/audited
#
# Tested up to the driver that the API server is asked for; never run on a cluster.
#
# CLAIM is a volume claim that driver and executors may write at once (ReadWriteMany). With s3:// or gs:// for decisions and
# out it is not needed.
set -euo pipefail

volumes=()
if [ -n "${CLAIM:-}" ]; then
    for role in driver executor; do
        volume=spark.kubernetes.$role.volumes.persistentVolumeClaim.shared
        volumes+=(--conf "$volume.options.claimName=$CLAIM" --conf "$volume.mount.path=/shared")
    done
fi
exec spark-submit \
    --master "k8s://${KUBERNETES:?the URL of the API server}" \
    --deploy-mode cluster \
    --name mqconform-audit \
    --conf spark.kubernetes.container.image="${IMAGE:?the image that was pushed}" \
    --conf spark.kubernetes.authenticate.driver.serviceAccountName="${SERVICE_ACCOUNT:-spark}" \
    --conf spark.executor.instances="${EXECUTORS:-4}" \
    --conf spark.executor.memory="${EXECUTOR_MEMORY:-4g}" \
    "${volumes[@]}" \
    local:///opt/mqconform/mqconform_job.py audit routes "$@"
