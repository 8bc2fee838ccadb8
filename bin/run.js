#!/bin/sh
':' /*
# To sh a program: it starts the Node of this checkout, or that of the PATH where there is none. To Node, a text and a comment.
promo_file=$0
if [ -L "$0" ]; then promo_file=$(readlink -f "$0" 2>&-) || promo_file=$0; fi
promo_node=${promo_file%/*}/../node_modules/node/bin/node
if [ ! -x "$promo_node" ] || [ -n "$PROMO_NO_REEXEC" ]; then promo_node=node; fi
exec "$promo_node" "$0" "$@"
*/
// Starts promo. This file must parse on any Node with ES modules: no static import of a dependency, no new syntax here.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const supported = (major === 22 && minor >= 22) || (major === 24 && minor >= 15) || major >= 26

if (supported) await start(process.argv.slice(2))
else await startOnNewerNode()

/** @param {string[]} args */
async function start(args) {
  const isLaunched = process.env.PROMO_NO_REEXEC === 'launched'
  // It was for this file alone: programs that promo starts, and the list of variables in `promo doctor`, have no use for it.
  delete process.env.PROMO_NO_REEXEC
  const path = process.getBuiltinModule('node:path')
  const root = path.join(import.meta.dirname, '..')
  const { existsSync, readFileSync } = process.getBuiltinModule('node:fs')
  const built = path.join(root, 'dist/index.json')
  if (!existsSync(built)) {
    process.stderr.write('promo: this checkout is not built, or a build did not end; run in it: npm run build\n')
    process.exitCode = 4
    return
  }
  const { version, index } = JSON.parse(readFileSync(built, 'utf8'))
  if (args.length === 1 && /^(--version|-v)$/.test(args[0] ?? '')) {
    // Without a listener Node prints a stack.
    process.stdout.on('error', (/** @type {NodeJS.ErrnoException} */ { code }) => {
      process.exitCode = code === 'EPIPE' ? 141 : 10
      if (code !== 'EPIPE') process.stderr.write(`promo: standard output cannot be written (${code})\n`)
    })
    process.stdout.write(`promo/${version} ${process.platform}-${process.arch} node-${process.version}\n`)
    return
  }
  // Node itself uses the folder that NODE_COMPILE_CACHE names.
  const cache = process.env.NODE_COMPILE_CACHE ? undefined : privateFolder(cacheFolder(process.env))
  if (cache !== undefined) process.getBuiltinModule('node:module').enableCompileCache(cache)
  // The build does not exist when types are checked, so its path is not a literal.
  const dist = new URL('../dist/', import.meta.url).href
  /** @type {typeof import('../src/main.ts')} */
  const { launch } = await import(`${dist}main.js`)
  await launch(args, { root, version, index, load: (name) => import(`${dist}commands/${name}.js`) }, isLaunched)
}

/**
 * In the state folder, as src/profiles/folders.ts finds it, so that nothing else is left of promo; elsewhere only where a variable
 * names a folder for caches. Without a home there is no place: Node would create any folder that is named, as root even `/nonexistent`.
 * @param {NodeJS.ProcessEnv} env
 */
function cacheFolder({ PROMO_STATE_DIR, XDG_CACHE_HOME = '', XDG_STATE_HOME = '', HOME = '', LOCALAPPDATA = '' }) {
  const path = process.getBuiltinModule('node:path')
  const { existsSync } = process.getBuiltinModule('node:fs')
  const isThere = (/** @type {string} */ folder) => path.isAbsolute(folder) && existsSync(folder)
  if (path.isAbsolute(XDG_CACHE_HOME)) return path.join(XDG_CACHE_HOME, 'promo/compiled')
  if (PROMO_STATE_DIR !== undefined)
    return path.isAbsolute(PROMO_STATE_DIR) ? path.join(PROMO_STATE_DIR, 'compiled') : undefined
  if (process.platform === 'win32')
    return isThere(LOCALAPPDATA) ? path.join(LOCALAPPDATA, 'promo/state/compiled') : undefined
  if (path.isAbsolute(XDG_STATE_HOME)) return path.join(XDG_STATE_HOME, 'promo/compiled')
  return isThere(HOME) ? path.join(HOME, '.local/state/promo/compiled') : undefined
}

/**
 * Creates the folder for this user alone, and returns its real path; undefined where someone else could replace it.
 *
 * What is in the cache is run as code, unchecked. Trusted are this user and root, and folders like /tmp, where nobody
 * can replace what belongs to another user. A folder that others may have written is left alone, and nothing is cached.
 * @param {string | undefined} folder
 */
function privateFolder(folder) {
  if (folder === undefined) return undefined
  const { lstatSync, realpathSync } = process.getBuiltinModule('node:fs')
  const path = process.getBuiltinModule('node:path')
  try {
    makeFolder(folder)
    const real = realpathSync(folder)
    const user = process.getuid?.()
    // Windows: the folders of a user are private.
    if (user === undefined) return real
    const last = lstatSync(folder)
    if (!last.isDirectory() || last.uid !== user || (last.mode & 0o077) !== 0) return undefined
    for (let parent = path.dirname(real); ; parent = path.dirname(parent)) {
      const { uid, mode } = lstatSync(parent)
      const isShared = (mode & 0o022) !== 0 && (mode & 0o1000) === 0
      if (isShared || (uid !== user && uid !== 0)) return undefined
      if (parent === path.dirname(parent)) return real
    }
  } catch {
    return undefined
  }
}

/**
 * As src/base/folder.ts, which is not loaded yet: Node's own recursion never ends in a folder like /proc.
 * @param {string} folder
 */
function makeFolder(folder) {
  const { existsSync, mkdirSync } = process.getBuiltinModule('node:fs')
  const parent = process.getBuiltinModule('node:path').dirname(folder)
  if (existsSync(folder)) return
  if (folder !== parent) makeFolder(parent)
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if (!existsSync(folder)) throw error
  }
}

// In a source checkout `npm ci` has installed a supported Node: use it. An installed package has none: say so.
async function startOnNewerNode() {
  const { closeSync, existsSync, fstatSync } = await import('node:fs')
  const { constants } = await import('node:os')
  const { isatty } = await import('node:tty')
  const { fileURLToPath } = await import('node:url')
  const name = process.platform === 'win32' ? 'node.exe' : 'node'
  const own = fileURLToPath(new URL(`../node_modules/node/bin/${name}`, import.meta.url))
  if (!existsSync(own) || process.env.PROMO_NO_REEXEC) {
    const place = 'install a current one from https://nodejs.org, or in a source checkout run: npm ci'
    process.stderr.write(`promo: needs Node.js 22.22+, 24.15+ or 26+, and this is ${process.version}; ${place}\n`)
    process.exitCode = 4
    return
  }
  const { spawn } = await import('node:child_process')
  const args = process.argv.slice(2)
  const child = spawn(own, [fileURLToPath(import.meta.url), ...args], {
    stdio: [...inherited(), 'ipc'],
    env: { ...process.env, PROMO_NO_REEXEC: 'launched' },
  })
  // Whoever started promo knows the id of this process only, so all it is sent is meant for the child. A signal to the
  // process group, like Ctrl-C, reaches the child directly too: src/cli/run/launch.ts counts such a pair once. When this
  // process is gone, the channel closes, and the child ends.
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    // A child that no longer listens is about to end by itself: a signal would only change its exit code.
    process.on(signal, () => child.send(signal, () => {}))
  }
  // The child has no listeners for these: they end it, or wake it up, and a second one changes nothing.
  const unheard = /** @type {const} */ (['SIGQUIT', 'SIGABRT', 'SIGALRM', 'SIGUSR1', 'SIGUSR2', 'SIGVTALRM', 'SIGCONT'])
  if (process.platform !== 'win32') {
    for (const signal of unheard) process.on(signal, () => child.kill(signal))
    process.on('SIGTSTP', () => {
      // SIGTSTP does nothing to a process of a group that no shell looks after.
      child.kill('SIGSTOP')
      process.kill(process.pid, 'SIGSTOP')
    })
  }
  child.on('error', (/** @type {NodeJS.ErrnoException} */ error) => {
    // As src/base/sqlite.ts says it, which is not loaded here.
    const isFull = error.code === 'EMFILE' || error.code === 'ENFILE'
    const next = isFull ? 'allow more open files: ulimit -n 1024' : 'run in it: npm ci'
    process.stderr.write(`promo: the Node.js of this checkout cannot be started (${error.message}); ${next}\n`)
    process.exitCode = 4
  })
  child.on('exit', (code, signal) => {
    leaveLostTerminal()
    process.exitCode = signal === null ? (code ?? 1) : 128 + constants.signals[signal]
    if (signal === null) return
    // Ends as the child did: a shell that runs a script asks how. The first process of a container cannot kill itself.
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })

  /**
   * What the child has of the open files of this process: input and output, and each `/dev/fd/N` of the command line.
   * @returns {('inherit' | 'ignore' | number)[]}
   */
  function inherited() {
    /** @type {('inherit' | 'ignore' | number)[]} */
    const files = ['inherit', 'inherit', 'inherit']
    for (const arg of args) {
      const fd = Number(/\/dev\/fd\/(\d{1,3})$/.exec(arg)?.[1] ?? 0)
      if (fd <= 2 || !isOpen(fd)) continue
      while (files.length <= fd) files.push('ignore')
      files[fd] = fd
    }
    return files
  }

  /** @param {number} fd */
  function isOpen(fd) {
    try {
      return fstatSync(fd) !== undefined
    } catch {
      return false
    }
  }

  // Node aborts when it cannot restore the settings of a terminal that was closed meanwhile.
  function leaveLostTerminal() {
    for (const fd of [0, 1, 2]) if (isOpen(fd) && !isatty(fd)) closeSync(fd)
  }
}
