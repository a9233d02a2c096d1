#!/usr/bin/env bash
# Packages the function with a code cache: package.sh STAGE FOLDER [option of `serverless package`]...
# V8 accepts compiled code only of the same Node, processor and flags. So Lambda's own image writes the package, and then
# loads it. Neither can reach a network. COMMIT names the commit in the settings of the function and in the log.
set -euo pipefail
cd "$(dirname "$0")/.."
stage=$1
folder=$2
shift 2
# By tag, because a new deployment runs on Lambda's newest Node of this version. After an update of Node, the function starts
# without the code cache until the next deployment.
image=public.ecr.aws/lambda/nodejs:$(sed -n 's/^  runtime: nodejs\([0-9]*\)\.x$/\1/p' serverless.yml)

# Not by npm or npx, which prefer the Node of node_modules. Lambda starts Node with --expose-gc.
docker run --rm --network none --user "$(id -u):$(id -g)" --volume "$PWD:/project" --workdir /project \
  --env COMMIT --env HOME=/tmp --env NODE_OPTIONS=--expose-gc --entrypoint /var/lang/bin/node "$image" \
  node_modules/serverless/bin/serverless.js package --package "$folder" --stage "$stage" --param codeCache=true "$@"

temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
mkdir "$temporary/task"
(cd "$temporary/task" && cmake -E tar xf "$OLDPWD/$folder/space-files.zip")
# With the address of a Runtime API, the entrypoint of the image starts Lambda's Node without an emulator. Nothing
# listens there, so Node ends after it has loaded the function.
for module in "$temporary"/task/dist/*.mjs; do
  function=$(basename "$module" .mjs)
  docker run --rm --network none --volume "$temporary/task:/var/task:ro" --env AWS_LAMBDA_RUNTIME_API=127.0.0.1:1 \
    --env "AWS_LAMBDA_FUNCTION_NAME=$function" --env AWS_LAMBDA_FUNCTION_VERSION=1 --env AWS_REGION=us-east-1 \
    --env AWS_LAMBDA_FUNCTION_MEMORY_SIZE=512 --entrypoint timeout "$image" \
    60 /lambda-entrypoint.sh "dist/$function.handler" 2>&1 | tee "$temporary/log" || true
  grep --quiet '"codeCache":"accepted"' "$temporary/log" || {
    echo "Lambda's Node did not accept the code cache of $function." >&2
    exit 1
  }
done
