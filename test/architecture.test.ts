// The import table of docs/architecture.md, checked against the source files.
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type SourceFile, sourceFiles } from './support/source-files.ts'

const files = sourceFiles('src')

/** Which of our folders each folder may import; `base`, `errors` and itself are always allowed. Source: docs/architecture.md. */
const mayImport: Record<string, string[]> = {
  base: [],
  errors: [],
  contract: [],
  api: ['contract'],
  bulk: [],
  output: ['contract'],
  profiles: [],
  sandbox: ['contract'],
  model: ['contract', 'api'],
  config: ['contract', 'api', 'model'],
  writes: ['api', 'bulk', 'contract', 'model'],
  check: ['config', 'contract', 'model'],
  ledger: ['api', 'contract'],
  cli: ['api', 'bulk', 'check', 'config', 'ledger', 'model', 'output', 'profiles', 'contract', 'writes'],
  commands: ['cli', 'api', 'bulk', 'check', 'config', 'ledger', 'model', 'output', 'profiles', 'contract'],
  main: ['cli'],
}

/** Libraries that are loaded on demand, by the code that needs them. */
const lazyOnly = [
  'undici',
  'conf',
  '@inquirer/prompts',
  'cli-table3',
  'csv-stringify',
  'csv-stringify/sync',
  'yaml',
  '@jmespath-community/jmespath',
  'node:sqlite',
  'node:http',
  '@napi-rs/keyring',
  'uqr',
  'jsbarcode',
]

describe('the layers', () => {
  test('the tree contains files', () => {
    expect(files.length).toBeGreaterThan(50)
    expect(files.flatMap((file) => file.imports).length).toBeGreaterThan(100)
  })

  test('each folder imports only the folders the table allows', () => {
    const broken = files.flatMap((file) =>
      file.imports
        .filter(({ from }) => from.startsWith('src/'))
        .filter(({ from }) => !isAllowed(layerOf(file.path), layerOf(from)))
        .filter(({ from, isLazy }) => !isTheSandboxDoor(file, from, isLazy))
        .map(({ from }) => `${file.path} imports ${from}`),
    )

    expect(broken).toEqual([])
  })

  test('contract imports no library but zod, and errors imports none', () => {
    const libraries = (layer: string) =>
      new Set(
        files
          .filter((file) => layerOf(file.path) === layer)
          .flatMap((file) => file.imports.map(({ from }) => from))
          .filter((from) => !from.startsWith('src/')),
      )

    expect([...libraries('contract')]).toEqual(['zod'])
    expect([...libraries('errors')]).toEqual([])
  })

  test('only cli and commands import oclif', () => {
    const knowers = files.filter((file) => file.imports.some(({ from }) => from.startsWith('@oclif/')))

    expect([...new Set(knowers.map((file) => layerOf(file.path)))].toSorted()).toEqual(['cli', 'commands'])
  })

  test('commands do not import each other', () => {
    const broken = files
      .filter((file) => layerOf(file.path) === 'commands')
      .filter((file) => file.imports.some(({ from }) => layerOf(from) === 'commands'))

    expect(broken.map((file) => file.path)).toEqual([])
  })

  test('no file imports itself through others, types included', () => {
    const graph = new Map(
      files.map((file) => [
        file.path,
        file.imports.filter(({ from }) => from.startsWith('src/')).map(({ from }) => from),
      ]),
    )
    const cycles = [...graph.keys()].filter((start) => reaches(graph, graph.get(start) ?? [], start))

    expect(cycles).toEqual([])
  })

  test('no folders hold each other, at any level', () => {
    const folders = new Set(
      files.flatMap(({ path }) => path.split('/').map((_, depth, parts) => parts.slice(0, depth).join('/'))),
    )
    const knots = [...folders].filter((folder) => folder !== '' && isKnot(folder))

    expect(knots).toEqual([])
  })
})

describe('the habits', () => {
  test('heavy libraries are loaded where they are used, not at the top of a file', () => {
    const eager = files.flatMap((file) =>
      file.imports
        .filter(({ from, isType, isLazy }) => lazyOnly.includes(from) && !isType && !isLazy)
        .map(({ from }) => `${file.path} imports ${from}`),
    )

    expect(eager).toEqual([])
  })

  test('no file is a barrel or a utility drawer, or ends the process', () => {
    const drawers = files.filter((file) =>
      /(^|\/)(index|utils?|helpers?|common|misc|manager|types)\.ts$/.test(file.path),
    )
    const enders = files.filter((file) => /\bprocess\.exit\(|\bconsole\.(log|error|warn|info)\(/.test(file.text))

    expect(drawers.map((file) => file.path)).toEqual([])
    // On a second Ctrl-C, where the platform has no end by a signal.
    expect(enders.map((file) => file.path)).toEqual(['src/cli/run/launch.ts'])
  })

  test('only a session asks about what is sent, and its client writes nothing before', () => {
    const asking = files.filter(({ text }) => /\bconfirmWrite\(\{/.test(text.replace('function confirmWrite({', '')))
    const sending = asking.filter(
      ({ text }) => /confirmWrite\(\{[^}]*\bprofile[:,]/.test(text) || text.includes('createClient'),
    )

    expect(asking.map(({ path }) => path)).toEqual(['src/cli/command.ts', 'src/cli/session/connect.ts'])
    expect(sending.map(({ path }) => path)).toEqual(['src/cli/session/connect.ts'])
    expect(sending[0]?.text).toContain("if (!isAgreed) throw new Error('nobody was asked whether to write')")
  })

  test('below the command, a bulk run knows no flag by its name', () => {
    // A job is recognized by its flags, and resumed with them.
    const known = ['run-plan', 'identity', 'replay-job'].map((name) => `src/cli/bulk/${name}.ts`)
    const knowing = files
      .filter(({ path }) => path.startsWith('src/cli/bulk/') && !known.includes(path))
      .filter(({ text }) => /(?<![-/])\bflags(?:\.\w|\[')|\/flags\/flags\.ts'/.test(text))
      .map(({ path }) => path)

    expect(knowing).toEqual([])
  })

  test('below the command, functions take the part of the run, or of its host, that they use', () => {
    const reasons: Record<string, string> = {
      'src/cli/bulk/work.ts': 'a command, as a job starts it',
      'src/cli/command.ts': 'the command',
      'src/cli/session/connect.ts': 'opens a client',
      'src/cli/session/run.ts': 'the run',
      'src/cli/topics/jobs/resume-job.ts': 'starts the command of a job',
      'src/cli/topics/mcp/run-line.ts': 'starts a command',
      'src/cli/topics/mcp/serve.ts': 'starts commands',
    }
    const whole = files
      .filter(({ path }) => /^src\/(?:cli\/(?!run\/)|commands\/)/.test(path))
      .filter(({ text }) => /: Host\b(?!\[)/.test(text))
      .map(({ path }) => path)

    expect(whole).toEqual(Object.keys(reasons))
  })

  test('what every command line may say is read once, for the run', () => {
    // What reads the flags of results, of questions, and of the service; and the two commands whose format is their own.
    const readers = ['command', 'result/output', 'session/connect', 'prompt/confirm', 'prompt/prompts', 'request/days']
    const own = ['src/cli/topics/api/call.ts', 'src/cli/topics/jobs/discard.ts', 'src/cli/result/follow.ts']
    const reading = files
      .filter(({ path }) => path.startsWith('src/cli/') && !path.startsWith('src/cli/run/') && !own.includes(path))
      .filter(({ text }) =>
        /\b(?:showingOf|shapeOf|messagesTo|canAsk|clockOf|resolveProfile|confirmWrite)\((?:\{ \.\.\.)?(?:this\.line\.)?flags\b/.test(
          text,
        ),
      )
      .map(({ path }) => path)

    expect(reading.filter((path) => !readers.some((name) => path === `src/cli/${name}.ts`))).toEqual([])
  })

  test('the makers of commands have no more optional members than they had', () => {
    const makers = /^src\/cli\/(?:declared\/.*|resource|bulk\/definition|bulk\/call-row)\.ts$/
    const optional = files
      .filter(({ path }) => makers.test(path))
      .flatMap(({ text }) => text.match(/^ +(?:readonly )?\w+\?[:(]/gm) ?? [])

    // It may only fall: what one command alone needs, that command does itself.
    expect(optional.length).toBeLessThanOrEqual(44)
  })

  test('whatever writes a part of its bytes without an error is asked how many they were', () => {
    // The count of a journal is fifteen bytes in one place: a part of them is a smaller number, which may be behind.
    const others = files.filter(({ path }) => path !== 'src/bulk/journal/commit-count.ts')
    const unasked = others.flatMap(({ path, text }) =>
      [...text.matchAll(/^.*\b(?:writeSync|writevSync)\(.*$/gm)]
        .filter(([line]) => !/[=]\s*writev?Sync\(/.test(line))
        .map(([line]) => `${path}: ${line.trim()}`),
    )

    expect(unasked).toEqual([])
  })

  test('whatever opens a file by its name asks first what it is, and whose', () => {
    const opening = /^(?:open|readFile|writeFile|appendFile|copyFile|createReadStream|createWriteStream)(?:Sync)?$/
    const reasons: Record<string, string> = {
      'src/base/disk-sync.ts': 'the log of a database that is open',
      'src/base/folder.ts': 'a folder',
      'src/bulk/journal/commit-count.ts': 'examined with its journal',
      'src/cli/help/help.ts': 'a file of the package',
      'src/cli/help/manifest.ts': 'a file of the package',
      'src/cli/help/search.ts': 'a file of the package',
      'src/cli/topics/mcp/reading.ts': 'a file of the package',
      'src/commands/mcp.ts': 'a file of the package',
      'src/output/out-file.ts': 'a new file of a name that nobody knows',
    }
    const openers = files.filter(({ text }) =>
      [...text.matchAll(/^import \{([^}]*)\} from 'node:fs(?:\/promises)?'/gm)].some(([, names = '']) =>
        names.split(',').some((name) => opening.test(name.trim())),
      ),
    )
    const unasked = openers
      .filter(({ path, text }) => !path.startsWith('src/base/files/') && !/\brefuseShared(?:State|File)\(/.test(text))
      .map(({ path }) => path)

    expect(unasked).toEqual(Object.keys(reasons))
  })

  test('a value in a next step is an argument, also where it begins with a dash', () => {
    // The names of jobs are promo's own.
    const asFlag = files.flatMap(({ path, text }) =>
      [...text.matchAll(/promo (?!jobs )(?:[a-z][a-z-]* )+\$\{shellWord\(.*/g)].map(
        ([found]) => `${path}: ${found}: use argumentWords (base/shell-word.ts)`,
      ),
    )

    expect(asFlag).toEqual([])
  })

  test('JSON that comes from outside is read with a limit on its levels', () => {
    // What promo wrote itself, or has read with a limit before.
    const own: Record<string, string> = {
      'src/api/changed-values.ts': 'what was just written',
      'src/api/client.ts': 'the body of a plan',
      'src/api/request/request.ts': 'a body that was read strictly',
      'src/base/nesting.ts': 'the reader with the limit',
      'src/base/strict-json.ts': 'a text in quotes',
      'src/bulk/journal/job-index.ts': 'with a checksum',
      'src/bulk/journal/job.ts': 'with a checksum',
      'src/bulk/journal/outcome-store.ts': 'with a checksum',
      'src/bulk/journal/row-store.ts': 'a text in quotes',
      'src/cli/help/help.ts': 'a file of the package',
      'src/cli/help/manifest.ts': 'a file of the package',
      'src/cli/topics/mcp/run-line.ts': 'the output of a command',
      'src/cli/topics/mcp/writes.ts': 'the output of a command',
      'src/ledger/query.ts': 'what its child wrote, and in the child, what its parent wrote',
      'src/profiles/damage.ts': 'what is damaged, for the words of the error',
      'src/profiles/keyring.ts': 'in the child, what its parent wrote',
      'src/sandbox/http/route.ts': 'an answer of the service',
    }
    const readers = files.filter(
      ({ path, text }) =>
        !/^src\/sandbox\/(?:storage|stores)\//.test(path) && /\bJSON\.parse\((?!JSON\.stringify)/.test(text),
    )

    expect(readers.map(({ path }) => path)).toEqual(Object.keys(own))
  })

  test('a database is opened in one place, which asks what lies beside it', () => {
    const openers = files.filter(({ text }) => /\.DatabaseSync\b|new DatabaseSync\(/.test(text))

    // The process that answers a question opens again what its parent has just opened there.
    expect(openers.map(({ path }) => path)).toEqual(['src/base/open-sqlite.ts', 'src/ledger/query.ts'])
  })

  test('digits are grouped without loading every language, which takes as long as a start', () => {
    const slow = files.filter((file) => /\.toLocaleString\(/.test(file.text))

    expect(slow.map((file) => file.path)).toEqual([])
  })

  test('no folder holds more than two dozen files, except the lists of one kind', () => {
    const counts = Map.groupBy(files, ({ path }) => path.slice(0, path.lastIndexOf('/')))
    const crowded = [...counts]
      .filter(([folder]) => !/^src\/(?:commands|contract|sandbox\/(?:stores|routes))\b/.test(folder))
      .filter(([, { length }]) => length > 24)
      .map(([folder, { length }]) => `${folder}: ${length}`)

    expect(crowded).toEqual([])
  })

  test('a table of known names is never indexed by another text, which may be inherited: `__proto__`, `toString`', () => {
    const tables =
      /^(?:export )?const (\w+)(?::\s*(?:Readonly<|Partial<)*Record<\s*string\b|(?:: [^=\n]+)? = Object\.fromEntries)/gm
    const namesIn = ({ text }: SourceFile) => [...text.matchAll(tables)].map(([, name = '']) => name)
    const known = new Set(files.flatMap(namesIn))
    const broken = files.flatMap((file) => {
      const own = new Set(namesIn(file))
      const imported = [...file.text.matchAll(/^import \{([^}]*)\}/gm)].flatMap(
        ([, names = '']) => names.match(/\w+/g) ?? [],
      )
      const visible = [...own, ...imported.filter((name) => known.has(name))]
      return visible.flatMap((name) => {
        const lookUps = [...file.text.matchAll(new RegExp(`(?<![\\w.])${name}(?:\\?\\.)?\\[[^'"\\]]`, 'g'))]
        const unchecked = lookUps.filter(
          ({ index }) => !file.text.slice(Math.max(0, index - 200), index).includes(`Object.hasOwn(${name},`),
        )
        return unchecked.map(() => `${file.path} indexes ${name}: use ownValue (base/record.ts)`)
      })
    })

    expect(known.size).toBeGreaterThan(30)
    expect(broken).toEqual([])
  })

  test('in the sandbox only storage/ and stores/ contain SQL', () => {
    const speakers = files
      .filter(({ path }) => path.startsWith('src/sandbox/'))
      .filter(({ path }) => !/^src\/sandbox\/(?:storage|stores)\//.test(path))
      .filter(({ text }) =>
        /\bsql\b|\bjsonField\b|\bcoalesce\(|->> '|\.prepare\(|\bdb\.(?:all|exec|get|run|script)\(/.test(text),
      )

    expect(speakers.map(({ path }) => path)).toEqual([])
  })

  test('the storage of the sandbox knows no resource', () => {
    const knowing = files
      .filter(({ path }) => path.startsWith('src/sandbox/storage/'))
      .filter(({ text }) => /from '\.\.\/(?:stores|answers|resources|routes)\//.test(text))

    expect(knowing.map(({ path }) => path)).toEqual([])
  })

  test('every exported value has a user in another file, and every exported type one at all', () => {
    const all = [...files, ...['bin', 'test', 'bench'].flatMap(sourceFiles)]
    const named = new Set(
      all.flatMap(({ path, text }) =>
        [...text.matchAll(/^(?:import|export) (?:type )?\{([^}]*)\} from '(\.[^']+)'/gm)].flatMap(
          ([, names = '', from]) =>
            names
              .split(',')
              .map((name) => `${join(dirname(path), from ?? '')}: ${name.replace(/^\s*(?:type )?| as .*|\s+$/gs, '')}`),
        ),
      ),
    )
    // What is loaded as a whole, or when it is used, is named by its members alone.
    const asWhole = new Set(
      all.flatMap(({ path, text }) =>
        [...text.matchAll(/import\('(\.[^']+)'\)|import \* as \w+ from '(\.[^']+)'/g)].map(([, lazy, whole = '']) =>
          join(dirname(path), lazy ?? whole),
        ),
      ),
    )
    const words = new Map(all.map(({ path, text }) => [path, new Set(text.match(/\w+/g))]))
    const isNamedElsewhere = (path: string, name: string) =>
      [...words].some(([other, known]) => other !== path && known.has(name))

    // The build finds the tables of commands by their folder.
    const unused = files
      .filter(({ path }) => !path.startsWith('src/cli/resources/'))
      .flatMap(({ path, text }) =>
        [...text.matchAll(/^export (?:async )?(const|function\*?|class|interface|type) (\w+)/gm)]
          .filter(([, kind = '', name = '']) => {
            if (named.has(`${path}: ${name}`)) return false
            if (asWhole.has(path) && isNamedElsewhere(path, name)) return false
            return !/^(?:interface|type)$/.test(kind) || (text.match(new RegExp(`\\b${name}\\b`, 'g')) ?? []).length < 2
          })
          .map(([, , name]) => `${path}: ${name}`),
      )

    expect(named.size).toBeGreaterThan(2000)
    expect(unused).toEqual([])
  })

  test('every exported declaration has a docstring, unless its fields or its summary explain it', () => {
    const bare = files.flatMap((file) =>
      [
        ...file.text.matchAll(
          /(^.*\n)^export (?:async )?(?:function\*? |const |class )(?!\w+ = (?:endpoint|projectless|programs|\w*[cC]alls)[.(])(\w+)/gm,
        ),
      ]
        .filter(([, lineBefore = '']) => !/\*\/\s*$/.test(lineBefore) && !/^\s*\/\//.test(lineBefore))
        .map(([, , name]) => `${file.path}: ${name}`),
    )

    expect(bare).toEqual([])
  })
})

function layerOf(path: string): string {
  return path.split('/')[1]?.replace(/\.ts$/, '') ?? ''
}

function isAllowed(from: string, to: string): boolean {
  if (from === to) return true
  if (from === 'base') return to === 'errors'
  if (from === 'errors') return false
  return to === 'base' || to === 'errors' || (mayImport[from] ?? []).includes(to)
}

// The CLI hosts the service inside its own process, and reaches it through one function, loaded on demand.
function isTheSandboxDoor(file: SourceFile, from: string, isLazy: boolean): boolean {
  return isLazy && from === 'src/sandbox/embedded.ts' && file.path === 'src/cli/session/sandbox.ts'
}

// What a folder holds are its own files and its subfolders, each with all that is below it. What is erased with the types ties nothing.
function isKnot(folder: string): boolean {
  const partOf = (path: string) =>
    path.startsWith(`${folder}/`) ? path.slice(folder.length + 1).replace(/\/.*/, '') : undefined
  const graph = new Map<string, string[]>()
  for (const { path, imports } of files) {
    const own = partOf(path)
    if (own === undefined) continue
    const others = imports.filter(({ isType }) => !isType).map(({ from }) => partOf(from))
    graph.set(own, [
      ...(graph.get(own) ?? []),
      ...others.filter((part) => part !== undefined && part !== own),
    ] as string[])
  }
  return [...graph.keys()].some((start) => reaches(graph, graph.get(start) ?? [], start))
}

function reaches(graph: Map<string, string[]>, from: string[], goal: string, seen = new Set<string>()): boolean {
  return from.some((next) => {
    if (next === goal) return true
    if (seen.has(next)) return false
    seen.add(next)
    return reaches(graph, graph.get(next) ?? [], goal, seen)
  })
}
