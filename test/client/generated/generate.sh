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

npm_packages() {
  needs npm
  test -d ../node_modules || download npm install --silent --prefix .. typescript@5.9.3 \
    openapi-typescript@7.13.0 openapi-fetch@0.17.0 @hey-api/openapi-ts@0.99.0 openapi-to-postmanv2@6.3.3
}

# Checks the types, and bundles, because generated imports have no file extension.
run_typescript() {
  cp "$here/$name.ts" program.ts
  ../node_modules/.bin/tsc --strict --noUncheckedIndexedAccess --noEmit --target es2022 --lib es2022,dom,dom.iterable \
    --module esnext --moduleResolution bundler --allowImportingTsExtensions \
    --typeRoots "$root/node_modules/@types" --types node "$@" program.ts >&2
  "$root/node_modules/.bin/esbuild" program.ts --bundle --platform=node --format=esm --outfile=program.mjs --log-level=error
  node program.mjs
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
    npm_packages
    ../node_modules/.bin/openapi-typescript "$openapi" --output generated.ts >&2
    run_typescript --exactOptionalPropertyTypes
    ;;
  hey-api)
    npm_packages
    ../node_modules/.bin/openapi-ts --input "$openapi" --output generated >&2
    # What it generates does not compile with exactOptionalPropertyTypes.
    run_typescript
    ;;
  client-on-node-*)
    needs npm
    download npm install --silent "node-$(uname -s | tr A-Z a-z)-$(uname -m | sed 's/x86_64/x64/; s/aarch64/arm64/')@${name##*-}" \
      "$(npm pack --silent "$root/client")"
    cp "$here/client.mjs" .
    node_modules/node-*/bin/node client.mjs
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
  openapi-generator-kotlin)
    openapi_generator kotlin -o .
    maven copy-dependencies -f "$here/kotlin-pom.xml" -DoutputDirectory="$PWD/libraries" -DincludeScope=runtime
    java -cp 'libraries/*' org.jetbrains.kotlin.cli.jvm.K2JVMCompiler -nowarn -no-stdlib -no-reflect -d classes \
      -cp "$(echo libraries/*.jar | tr ' ' :)" src/main "$here/Program.kt" >&2
    java -cp 'classes:libraries/*' ProgramKt
    ;;
  openapi-generator-ruby)
    needs ruby
    openapi_generator ruby -o .
    export GEM_HOME="$PWD/gems"
    ruby -e 'require "typhoeus"' 2>/dev/null || download gem install --silent --no-document typhoeus:1.4.1
    ruby -I lib "$here/program.rb"
    ;;
  openapi-generator-php)
    needs php
    openapi_generator php -o .
    php -r 'exit((int) !stream_resolve_include_path("GuzzleHttp/autoload.php"));' || {
      needs composer
      download composer install --quiet --no-interaction --no-dev
    }
    php "$here/program.php"
    ;;
  openapi-generator-rust)
    needs cargo
    openapi_generator rust -o . --additional-properties packageName=space_files,supportMiddleware=true
    cp "$here/main.rs" src
    download cargo add --quiet async-trait@0.1 http@1
    download cargo add --quiet tokio@1 --features macros,rt
    download cargo fetch --quiet
    cargo run --quiet --offline --no-default-features
    ;;
  # Generates only, and prints the file that says how a patch becomes JSON.
  patch-of-*)
    openapi_generator "${name#patch-of-}" -o .
    cat "$1"
    ;;
  oapi-codegen)
    needs go
    GOBIN=$PWD download go install github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2
    mkdir spacefiles
    ./oapi-codegen --config "$here/oapi-codegen.yaml" "$openapi"
    cp "$here/oapi-codegen.go" main.go
    go mod init program
    download go get github.com/oapi-codegen/runtime@v1.8.0 github.com/oapi-codegen/nullable@v1.1.0
    go run .
    ;;
  # Prints the headers that Postman sends after an import with the settings of docs/client.md.
  postman)
    npm_packages
    ../node_modules/.bin/openapi2postmanv2 -s "$openapi" -o collection.json \
      -O parametersResolution=Example,enableOptionalParameters=false,folderStrategy=Tags >&2
    node -p 'const { header } = require("./collection.json").item[0].item[0].request;
      header.filter(({ disabled }) => !disabled).map(({ key, value }) => `${key}: ${value}`).join("\n")'
    ;;
  schemathesis)
    venv
    ../venv/bin/st --config-file "$here/schemathesis.toml" run "$openapi" --url "$URL" --header 'x-api-key: demo-editor-key' \
      --checks all --max-examples 100 --seed 1 "$@"
    ;;
esac
