// What starts promo where it is unpacked: on its own Node, whatever is on the PATH.

/**
 * Returns the launcher for Linux and macOS; `home` is the folder of promo, seen from that of the launcher.
 *
 * It uses no other program, so PATH may be empty; only a link is followed by readlink, in one of its usual places. NODE_OPTIONS is
 * for the Node of the user: this one may not know an option, or not find a module that it names.
 */
export function shLauncher(home: string): string {
  return `#!/bin/sh
# Starts promo on the Node that came with it.
case $0 in */*) self=$0 ;; *) self=./$0 ;; esac
while [ -L "$self" ]; do
  for readlink in /usr/bin/readlink /bin/readlink; do [ -x "$readlink" ] && break; done
  target=$("$readlink" "$self") || { echo "promo: $self is a link, and nothing here can follow it" >&2; exit 4; }
  case $target in /*) self=$target ;; *) self=\${self%/*}/$target ;; esac
done
home=\${self%/*}${home}
unset NODE_OPTIONS
exec "$home/node/node" "$home/lib/bin/run.js" "$@"
`
}

/** Returns the launcher for Windows. */
export function cmdLauncher(): string {
  const lines = ['@echo off', 'setlocal', 'set "NODE_OPTIONS="', '"%~dp0node\\node.exe" "%~dp0lib\\bin\\run.js" %*']
  return lines.map((line) => `${line}\r\n`).join('')
}
