// What starts promo where it is unpacked: on its own Node, whatever is on the PATH.

/**
 * Returns the launcher for Linux and macOS; `home` is the folder of promo, seen from that of the launcher.
 *
 * It uses no other program, so PATH may be empty; only a link is followed by readlink, in one of its usual places. NODE_OPTIONS is
 * for the Node of the user: this one may not know an option, or not find a module that it names.
 */
export function shLauncher(home: string, platform: 'linux' | 'darwin'): string {
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
${platform === 'linux' ? libraryCheck : ''}exec "$home/node/node" "$home/lib/bin/run.js" "$@"
`
}

// What small images lack. Where a library is not in its usual places, the Node itself says whether it starts, which takes longer.
const libraryCheck = `for library in libc.so.6 libstdc++.so.6 libatomic.so.1; do
  for folder in /usr/lib/*-linux-gnu /lib/*-linux-gnu /usr/lib64 /lib64; do [ -e "$folder/$library" ] && continue 2; done
  reason=$("$home/node/node" --version 2>&1) && break
  echo "promo: its Node does not start on this system: \${reason##*: error while loading shared libraries: }" >&2
  next="install glibc, libatomic and libstdc++; where there is no glibc, use the npm package"
  [ -e /etc/debian_version ] && next="apt-get install libatomic1 libstdc++6"
  echo "try: $next" >&2
  exit 4
done
`

/** Returns the launcher for Windows. */
export function cmdLauncher(): string {
  const lines = ['@echo off', 'setlocal', 'set "NODE_OPTIONS="', '"%~dp0node\\node.exe" "%~dp0lib\\bin\\run.js" %*']
  return lines.map((line) => `${line}\r\n`).join('')
}
