#!/bin/sh
# Usage: build.sh NAME...
# Compiles helm, kubectl, kube-apiserver and etcd from the Go module proxy, and copies the definitions of custom resources that the chart
# may create (custom-resources), and that of an operator of which the documents have an example (operator-resources). Prints the folder that contains them, in the home folder. What is there already is not built again.
# cspell:ignore trimpath ldflags gcflags cksum servicemonitors prometheusrules scaledobjects httproutes grpcroutes mongodbcommunity
set -eu
cd "$(dirname "$0")"
version=$(sed -n 's|.*k8s.io/kubernetes \(v[0-9.]*\)$|\1|p' go.mod)
minor=$(echo "$version" | cut -d. -f2)
component=k8s.io/component-base/version
flags="-s -w -X $component.gitVersion=$version -X $component.gitMajor=1 -X $component.gitMinor=$minor"

# Copies files of a module. Arguments: module with its version, checksum of its content, folder to copy to, files.
copy_from_module() {
  module=$1 sum=$2 target=$3
  shift 3
  downloaded=$(cd / && go mod download -json "$module")
  if ! echo "$downloaded" | grep -qF "\"Sum\": \"$sum\""; then
    echo "$module has another checksum than $sum" >&2
    return 1
  fi
  source=$(echo "$downloaded" | sed -n 's|.*"Dir": "\(.*\)".*|\1|p')
  for file in "$@"; do cp "$source/$file" "$target"; done
}

# Without debug information, which nothing reads, and with fewer collections of garbage in the compiler, as go-build.ts.
compile() {
  CGO_ENABLED=0 GOGC=400 GOMEMLIMIT=1500MiB go build -buildvcs=false -trimpath -gcflags=all=-dwarf=false \
    -ldflags "$flags" -o "$folder/unfinished" "$1"
}

build() {
  if ! command -v go >/dev/null; then
    echo 'Go is required to compile helm and the API server of Kubernetes, see https://go.dev/doc/install' >&2
    return 1
  fi
  case $1 in
    helm) compile helm.sh/helm/v3/cmd/helm ;;
    kubectl) compile k8s.io/kubernetes/cmd/kubectl ;;
    kube-apiserver) compile k8s.io/kubernetes/cmd/kube-apiserver ;;
    etcd) compile go.etcd.io/etcd/server/v3 ;;
    custom-resources)
      mkdir "$folder/unfinished"
      copy_from_module github.com/prometheus-operator/prometheus-operator@v0.85.0 \
        h1:M5xLCLEoaW2IJfnuCwFzzpL+jSVQu3KGT84Pye+fW8s= "$folder/unfinished" \
        example/prometheus-operator-crd/monitoring.coreos.com_servicemonitors.yaml \
        example/prometheus-operator-crd/monitoring.coreos.com_prometheusrules.yaml
      copy_from_module github.com/kedacore/keda/v2@v2.17.2 h1:xlrcK5TKABJF9PebK79sgL07s/csGjL3H4m72OkZXxk= \
        "$folder/unfinished" config/crd/bases/keda.sh_scaledobjects.yaml
      copy_from_module sigs.k8s.io/gateway-api@v1.4.0 h1:ZwlNM6zOHq0h3WUX2gfByPs2yAEsy/EenYJB78jpQfQ= "$folder/unfinished" \
        config/crd/standard/gateway.networking.k8s.io_httproutes.yaml \
        config/crd/standard/gateway.networking.k8s.io_grpcroutes.yaml
      ;;
    operator-resources)
      mkdir "$folder/unfinished"
      copy_from_module github.com/mongodb/mongodb-kubernetes-operator@v0.9.0 h1:1SBmpQznWVbUgzi+ScNCNv6z5pLBwsSe4DUDKxHzFwc= \
        "$folder/unfinished" config/crd/bases/mongodbcommunity.mongodb.com_mongodbcommunity.yaml
      ;;
    *) echo "unknown program $1" >&2 && return 1 ;;
  esac
}

folder="$HOME/.cache/assay-engines/kubernetes-$(cat go.mod go.sum tools.go build.sh | cksum | tr ' ' '-')"
mkdir -p "$folder"
for name in "$@"; do
  if [ -e "$folder/$name" ]; then continue; fi
  # Another process may build it at this moment. The lock ends with the process that holds it.
  exec 9>"$folder/lock"
  if command -v flock >/dev/null && ! flock -w 2400 9; then
    echo 'another build of these programs has not ended within 40 minutes' >&2
    exit 1
  fi
  if [ ! -e "$folder/$name" ]; then
    rm -rf "$folder/unfinished"
    build "$name" >&2
    mv "$folder/unfinished" "$folder/$name"
  fi
  exec 9>&-
done
echo "$folder"
