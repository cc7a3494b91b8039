#!/bin/sh
# usage: SUITE=trixie PATCH="usr/bin/nvim ..." debian-root.sh ROOTDIR PKG...
# Unpacks Debian SUITE's PKGs with their whole dependency closure (libc6 included) into ROOTDIR and makes
# the programs named in PATCH run on the host from there. A private apt state with an empty dpkg status
# makes apt resolve the closure; nothing is installed on the host, whose libc stays as it is.
# ROOTDIR must be absolute: it is baked into the patched programs, so the folder must not be moved.
set -eu
ROOT=$1; shift
SUITE=${SUITE:-trixie}
A=$ROOT.apt
mkdir -p "$ROOT" "$A"/state/lists/partial "$A"/cache/archives/partial "$A"/etc
cat > "$A/etc/private.sources" <<S
Types: deb
URIs: $(sed -n "s/^URIs: //p" /etc/apt/sources.list.d/*.sources | head -n 1)
Suites: $SUITE
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
S
: > "$A/state/status"
aptp() {
  nice apt-get -qq \
    -o Dir::Etc::sourcelist="$A/etc/private.sources" -o Dir::Etc::sourceparts=/dev/null \
    -o Dir::Etc::preferencesparts=/dev/null \
    -o Dir::State="$A/state" -o Dir::State::status="$A/state/status" \
    -o Dir::Cache="$A/cache" -o APT::Install-Recommends=false \
    -o APT::Sandbox::User=root -o Debug::NoLocking=1 -o Acquire::Languages=none \
    -o Acquire::Retries=3 "$@"
}
aptp update
aptp -y --download-only install "$@"
for d in "$A"/cache/archives/*.deb; do nice dpkg-deb -x "$d" "$ROOT"; done
rm -rf "$A"
# sid may have merged /usr/lib64 or not: take the loader where it is
LD=$(ls "$ROOT"/usr/lib64/ld-linux-x86-64.so.2 "$ROOT"/lib64/ld-linux-x86-64.so.2 2>/dev/null | head -n 1)
for b in ${PATCH:-}; do
  patchelf --set-interpreter "$LD" --force-rpath --set-rpath "$ROOT/usr/lib/x86_64-linux-gnu" "$ROOT/$b"
done
