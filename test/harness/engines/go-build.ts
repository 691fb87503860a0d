// cspell:ignore trimpath gcflags
/**
 * Environment of `go build` for programs that tests run: without debug information, which nothing reads, and with fewer collections of garbage
 * in the compiler. The flags are those of kubernetes/build.sh, so that the standard library is compiled once for all.
 */
export const GO_BUILD = {
  CGO_ENABLED: '0',
  GOFLAGS: '-buildvcs=false -trimpath -gcflags=all=-dwarf=false',
  GOGC: '400',
  GOMEMLIMIT: '1500MiB',
} as const;
