#!/usr/bin/env bash
# Publishes a version with provenance: npm records which commit and which run of CI made the archive. Run by .github/workflows/release.yml for a tag
# vX.Y.Z; --dry-run does all but publish, and runs anywhere.
set -euo pipefail
cd "$(dirname "$0")/.."

fail() { echo "release: $1" >&2; exit 1; }

dry=''
[ "${1:-}" = '--dry-run' ] && dry='--dry-run'
version=$(node -p "require('./package.json').version")

[ -z "$(git status --porcelain)" ] || fail 'the working tree has changes; commit or remove them'
tag="v$version"
[ "$(git tag --points-at HEAD | grep -Fx "$tag" || true)" = "$tag" ] || fail "the commit has no tag $tag; package.json and the tag must agree"
grep -Eq "^## $(printf '%s' "$version" | sed 's/[.]/\\./g')( |$)" CHANGELOG.md || fail "CHANGELOG.md has no heading \"## $version\""
sed -n '/^## Unreleased/,/^## /p' CHANGELOG.md | grep '^- ' >/dev/null && fail 'CHANGELOG.md has unreleased lines; move them below the version'

ANYRIG_LAW_RUNS=1000 .ci/run || fail '.ci/run failed'
[ -z "$(git status --porcelain)" ] || fail '.ci/run changed files; commit what it generates'
npm audit signatures || fail 'the signatures of the packages could not be verified'

# npm has no provenance without the identity that CI gives to the run (id-token: write).
[ -n "$dry" ] || [ -n "${ACTIONS_ID_TOKEN_REQUEST_URL:-}" ] || fail 'npm publish --provenance needs CI; push the tag instead'
npm publish --access public ${dry:---provenance} --ignore-scripts
