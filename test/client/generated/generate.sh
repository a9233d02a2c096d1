# Generates a client in the current folder and runs its program against $URL: sh generate.sh NAME.
# The folder above keeps the tools that several clients use. Exit code 75: something is missing here.
set -e

name=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../../..
openapi=$root/openapi.yaml

needs() {
  for command; do
    command -v "$command" >/dev/null || { echo "Not installed: $command." >&2; exit 75; }
  done
}

download() {
  "$@" >&2 || { echo "A download failed: $*." >&2; exit 75; }
}

venv() {
  needs python3
  test -x ../venv/bin/st && return
  python3 -m venv ../venv
  download ../venv/bin/pip install --quiet --no-compile schemathesis==4.32.5 pydantic==2.14.3 urllib3==2.8.0 \
    python-dateutil==2.9.0.post0
}

maven() {
  needs java mvn
  goal=$1
  shift
  download mvn --batch-mode --quiet "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:$goal" "$@"
}

openapi_generator() {
  test -f ../openapi-generator-cli.jar || maven copy -Dmdep.stripVersion -DoutputDirectory=.. \
    -Dartifact=org.openapitools:openapi-generator-cli:7.25.0
  # It reads no description in a folder whose path has a space.
  cp "$openapi" description.yaml
  java -jar ../openapi-generator-cli.jar generate -i description.yaml -g "$@" >generator.log 2>&1 || {
    cat generator.log >&2
    exit 1
  }
}

case $name in
  openapi-fetch)
    needs npm
    download npm install --silent typescript@5.9.3 openapi-typescript@7.13.0 openapi-fetch@0.17.0
    node_modules/.bin/openapi-typescript "$openapi" --output generated.ts >&2
    cp "$here/openapi-fetch.ts" program.ts
    # Checks the types, and bundles, because generated imports have no file extension.
    node_modules/.bin/tsc --strict --noUncheckedIndexedAccess --exactOptionalPropertyTypes --noEmit --target es2022 \
      --lib es2022,dom,dom.iterable --module esnext --moduleResolution bundler --allowImportingTsExtensions \
      --typeRoots "$root/node_modules/@types" --types node program.ts >&2
    "$root/node_modules/.bin/esbuild" program.ts --bundle --platform=node --format=esm --outfile=program.mjs \
      --log-level=error
    node program.mjs
    ;;
  client-on-node-*)
    needs npm
    download npm install --silent "node-$(uname -s | tr A-Z a-z)-$(uname -m | sed 's/x86_64/x64/; s/aarch64/arm64/')@${name##*-}" \
      "$(npm pack --silent "$root/client")"
    cp "$here/$1" .
    node_modules/node-*/bin/node --expose-gc "$1"
    ;;
  openapi-generator-python)
    venv
    openapi_generator python -o . --package-name space_files
    cp "$here/program.py" .
    ../venv/bin/python program.py
    ;;
  openapi-generator-java)
    needs javac
    openapi_generator java -o . --library native --additional-properties openApiNullable=true
    maven copy-dependencies -DoutputDirectory=libraries -Dmdep.prependGroupId -DincludeScope=compile
    javac -nowarn -d classes -cp 'libraries/*' $(find src/main -name '*.java') "$here/Program.java" >&2
    java -cp 'classes:libraries/*' Program
    ;;
  openapi-generator-go)
    needs go
    openapi_generator go -o spacefiles --additional-properties packageName=spacefiles,withGoMod=false
    rm -r spacefiles/test
    cp "$here/main.go" .
    go mod init program
    go run .
    ;;
  schemathesis)
    venv
    ../venv/bin/st --config-file "$here/schemathesis.toml" run "$openapi" --url "$URL" --header 'x-api-key: demo-editor-key' \
      --checks all --max-examples 100 --seed 1 "$@"
    ;;
esac
