// What the source of a command says about it that oclif does not know: what it cannot do without, which calls it makes,
// which columns it shows and which exit codes it can end with. Read off the imports, so that no list is kept by hand.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { needsOf, waysOf } from '../src/cli/prompt/needs.ts'
import { EXIT } from '../src/errors.ts'

const root = join(import.meta.dirname, '..')

/** Adds `needs`, `calls`, `repeat`, `columns` and `exit_codes` to every command of oclif's manifest. */
export async function addFacts(manifest) {
  // What every command can reach, such as the columns of a plan, says nothing about one of them.
  const shared = new Set()
  importedBy('src/cli/command.ts', shared)
  for (const command of Object.values(manifest.commands)) {
    const source = join('src/commands', ...command.id.split(':')).concat('.ts')
    const seen = new Set(shared)
    const imported = importedBy(source, seen)
    const calls = (await valuesOf(imported, 'src/contract/')).filter(isEndpoint).map(callOf)
    const columns = (await valuesOf(imported, 'src/output/columns/'))
      .filter(isColumnSet)
      .flatMap(({ columns }) => columns)
    const { default: Class } = await import(join(root, source))
    // The questions are for the terminal; what they are about is for everybody.
    delete command.asks
    command.needs = needsOf(Class, {}).map(waysOf)
    for (const flag of Object.values(command.flags))
      Object.assign(flag, exclusionOf(Class.flags?.[flag.name], flag.name))
    command.calls = calls.toSorted((one, other) => (one.id < other.id ? -1 : 1))
    command.repeat = repeatOf(command)
    command.columns = [...new Set(columns.map(({ name }) => name))]
    const own = [...seen].filter((file) => !shared.has(file)).map((file) => readFileSync(join(root, file), 'utf8'))
    command.exit_codes = exitCodesOf(command, own.join('\n'))
  }
}

/** The names a file imports as values, with the file they come from; through the shared code of commands, and no further. */
function importedBy(file, seen) {
  if (seen.has(file)) return []
  seen.add(file)
  return importsOf(file).flatMap(({ from, names }) =>
    from.startsWith('src/cli/') ? importedBy(from, seen) : names.map((name) => ({ from, name })),
  )
}

const statement = /^import\s+(?!type\s)(?:\w+,\s*)?\{([^}]*)\}\s+from\s+'(\.[^']+)'/gm
const lazy = /\{([^}]*)\}\s*=\s*await import\('(\.[^']+)'\)/g

function importsOf(file) {
  if (!existsSync(join(root, file))) return []
  const text = readFileSync(join(root, file), 'utf8')
  return [...text.matchAll(statement), ...text.matchAll(lazy)].map(([, names, from]) => ({
    from: normalize(join(dirname(file), from)),
    names: names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && !name.startsWith('type '))
      .map((name) => name.split(/\s+as\s+|\s*:\s*/)[0]),
  }))
}

async function valuesOf(imported, folder) {
  const wanted = imported.filter(({ from }) => from.startsWith(folder))
  const values = await Promise.all(wanted.map(async ({ from, name }) => (await import(join(root, from)))[name]))
  return [...new Set(values)]
}

function isEndpoint(value) {
  return typeof value === 'object' && value !== null && 'method' in value && 'repeat' in value
}

function isColumnSet(value) {
  return typeof value === 'object' && value !== null && Array.isArray(value.columns)
}

function callOf({ id, method, path, credential, repeat, source }) {
  return { id, method, path, credential, repeat, source }
}

/** What oclif leaves out of its manifest: flags of which only one may be given exclude each other. */
function exclusionOf(flag, name) {
  const others = flag?.exactlyOne?.filter((other) => other !== name)
  return others === undefined || others.length === 0 ? {} : { exclusive: others }
}

const repeats = ['read', 'key', 'idempotent', 'reconcile', 'duplicate', 'once']

/** What one more identical run does to the service: that of its most delicate call. Nothing is known of a call of promo api. */
function repeatOf({ calls, effect }) {
  const worst = Math.max(...calls.map(({ repeat }) => repeats.indexOf(repeat)))
  if (calls.length > 0) return repeats[worst]
  return effect === 'write' ? 'once' : null
}

const keepsFiles = /\b(withSandbox|storedProfiles)\b/

/** Any command may meet a bug, bad usage, a full disk or a signal; the rest follows from what it does. */
function exitCodesOf({ args, flags, effect }, source) {
  const named = [...source.matchAll(/\bEXIT\.(\w+)/g)].map(([, name]) => EXIT[name])
  const { ok, bug, usage, refused, auth, unavailable, unknown, stopped, held, journal, io, unconfirmed } = EXIT
  const codes = [ok, bug, usage, io, EXIT.hangup, EXIT.interrupted, EXIT.closedPipe, EXIT.terminated, ...named]
  if (flags.profile || keepsFiles.test(source) || /\bjobsFolder\b/.test(source)) codes.push(auth)
  // The settings, or the file of the embedded service, may be in use.
  if (flags.timeout || keepsFiles.test(source)) codes.push(held)
  if (flags.timeout) codes.push(refused, unavailable)
  if (flags.profile && effect === 'write') codes.push(unknown)
  // Whoever runs a job of another command can end as that one does.
  if (flags['max-errors']) codes.push(auth, refused, unavailable, unknown, stopped, held, journal)
  if (args.job) codes.push(journal)
  if (args.job && flags['max-errors']) codes.push(EXIT.no)
  if (flags.yes) codes.push(unconfirmed)
  return [...new Set(codes)].toSorted((one, other) => one - other)
}
