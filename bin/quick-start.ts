// What is loaded together, and what the bundle leaves out, so that promo starts quickly: the parts of libraries that promo
// never reaches, and the module form of Node's own modules.

import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Plugin } from 'rolldown'
import { parseAst } from 'rolldown/parseAst'
import * as zod from 'zod'
import * as schemaProcessors from '../node_modules/zod/v4/core/json-schema-processors.js'

/**
 * The modules that are loaded together: one file opens faster than ten small ones, and a file nobody needs costs nothing.
 *
 * Before the others come those that every start needs: a group brings along whatever its modules import.
 */
export const together = [
  {
    name: 'start',
    test: /\/src\/(errors|base\/(grouped|record|text\/.*)|cli\/(stop|colours|heap|run\/(?!as-typed|unknown-command|whole-line|parse-error)\w.*)|main)\.ts$|rolldown\/runtime/,
    priority: 9,
  },
  { name: 'help', test: /\/src\/cli\/help\/(help|layout|manifest)\.ts$/, priority: 8 },
  { name: 'oclif', test: /\/node_modules\/@oclif\//, priority: 7 },
  {
    name: 'command',
    test: /\/src\/(base\/(duration|memoized|nearest|time\/.*)|contract\/date-bounds|cli\/(command|exits|flags\/(flags|values|same-file)|prompt\/(input|needs|prompts)|result\/(messages|output))|output\/shape)\.ts$/,
    priority: 6,
  },
  // What only a wrong command line needs, before what would bring it along.
  {
    name: 'mistakes',
    test: /\/src\/(base\/shown-word|cli\/(run\/parse-error|prompt\/refused))\.ts$/,
    priority: 5,
  },
  {
    name: 'contract',
    test: /\/src\/contract\/(endpoint|fields|failure)\.ts$|\/bin\/late-zod\.js$/,
    priority: 5,
  },
  // What finds the object that a flag names, before what reads and sends brings it along.
  {
    name: 'named',
    test: /\/src\/(api\/outcome\/call-error|base\/listed|bulk\/input\/key|cli\/(result\/(named|read-by-id|unless-refused)|request\/customers\/(flag|find)))\.ts$/,
    priority: 5,
  },
  {
    name: 'profiles',
    test: /\/src\/(profiles\/(?!change-document|lock)|cli\/session\/(connect|sandbox)\.ts$)/,
    priority: 4,
  },
  { name: 'api', test: /\/src\/api\//, priority: 3 },
  // What every command that writes loads, in small pieces. What is large is loaded by `import()` and stays apart.
  { name: 'output', test: /\/src\/output\/(?!columns\/|out-file|form\/xlsx)/ },
  {
    name: 'bulk',
    test: /\/src\/(cli\/(prompt\/confirm|request\/days|result\/(progress|status-line)|bulk\/(definition|nothing-sent|outcome-records|repeat-policy|run-bulk|run-plan|new-work))|bulk\/batch)\.ts$/,
  },
  { name: 'vouchers', test: /\/src\/(contract\/vouchers|cli\/topics\/vouchers\/(changed|codes|switch|undo))\.ts$/ },
  { name: 'json', test: /\/src\/(base\/strict-json|cli\/request\/json-file)\.ts$/ },
  { name: 'listing', test: /\/src\/contract\/listing\.ts$/ },
  { name: 'declared', test: /\/src\/cli\/declared\.ts$/ },
  // What the rows of every bulk command need once there are any.
  {
    name: 'rows',
    test: /\/src\/cli\/bulk\/(plan|input-rows|destination|run-work)\.ts$/,
  },
]

/** The versions that the table below was made for. */
const versions: Readonly<Record<string, string>> = {
  '@modelcontextprotocol/server': '2.4.0',
  '@oclif/core': '5.1.9',
  'cli-table3': '0.6.5',
  undici: '8.12.4',
  zod: '4.6.7',
}

/** A module of a library that is left out, with what takes its place. */
interface Replaced {
  /** The module that names it; absent: whatever does. */
  from?: RegExp
  source: string
  code: string
}

/** What belongs to these versions alone; test/e2e/modules.test.ts fails when it comes back. */
const replaced: readonly Replaced[] = [
  // Its own entry would load its launcher, its help, plugins and a debugger.
  {
    source: '@oclif/core',
    code: "export * as Args from '@oclif/core/args'; export * as Flags from '@oclif/core/flags'",
  },
  // Its own entry would load fetch, web sockets, mocks, caches and interceptors; the proxy agent is loaded when it is used.
  {
    source: 'undici',
    code: `
exports.Client = require('undici/lib/dispatcher/client.js')
exports.buildConnector = require('undici/lib/core/connect.js')
const lazily = (target, name, load) => Object.defineProperty(target, name, { configurable: true, get: load })
lazily(exports, 'EnvHttpProxyAgent', () => require('undici/lib/dispatcher/env-http-proxy-agent.js'))
// Files are read with the one, and tunnels through a proxy opened with the other.
const { prototype } = require('undici/lib/dispatcher/dispatcher.js')
lazily(prototype, 'request', () => require('undici/lib/api/api-request.js'))
lazily(prototype, 'connect', () => require('undici/lib/api/api-connect.js'))`,
  },
  // Its own would bring a validator of JSON schemas, of which promo has none to validate.
  {
    source: '@modelcontextprotocol/server/_shims',
    code: `
import process from 'node:process'
export { process }
export class DefaultJsonSchemaValidator {}`,
  },
  // Prints errors and ends the process; promo does both itself.
  { from: /@oclif\/core\/lib\/errors\//, source: './handle', code: '' },
  // Errors that print themselves, wrapped and in colours: promo reads their texts.
  { from: /@oclif\/core\/lib\/errors\/error\.js$/, source: '../ux/write', code: '' },
  { from: /@oclif\/core\/lib\/errors\//, source: './errors/pretty-print', code: '' },
  { from: /@oclif\/core\/lib\/errors\/index\.js$/, source: './warn', code: '' },
  { from: /@oclif\/core\/lib\/errors\/errors\/cli\.js$/, source: 'clean-stack', code: '' },
  { from: /@oclif\/core\/lib\/errors\/errors\/cli\.js$/, source: 'indent-string', code: '' },
  { from: /@oclif\/core\/lib\/errors\/errors\/cli\.js$/, source: 'wrap-ansi', code: '' },
  { from: /@oclif\/core\/lib\/errors\/errors\/cli\.js$/, source: '../../ux/theme', code: '' },
  {
    from: /@oclif\/core\/lib\/parser\/errors\.js$/,
    source: '../ux/theme',
    code: 'exports.colorize = (_, text) => text',
  },
  {
    from: /@oclif\/core\/lib\/parser\/errors\.js$/,
    source: '../ux/list',
    code: "exports.default = (items) => items.map((item) => item.filter(Boolean).join('  ')).join('\\n')",
  },
  { from: /@oclif\/core\/lib\/parser\/index\.js$/, source: './help', code: '' },
  { from: /@oclif\/core\/lib\/cache\.js$/, source: '@oclif/core/package.json', code: "exports.version = ''" },
  // Only for its ready-made --help flag.
  { from: /@oclif\/core\/lib\/flags\.js$/, source: './help', code: '' },
  { from: /@oclif\/core\/lib\//, source: './logger', code: 'exports.makeDebug = () => () => {}' },
  { from: /@oclif\/core\/lib\//, source: '../logger', code: 'exports.makeDebug = () => () => {}' },
  // Arguments from stdin, which no command of promo takes.
  { from: /@oclif\/core\/lib\/parser\//, source: 'node:readline', code: '' },
  // Flags and arguments that name existing files, which oclif would check; promo opens them instead.
  { from: /@oclif\/core\/lib\/util\/fs\.js$/, source: 'node:fs/promises', code: '' },
  // Descriptions of schemas, which every schema brings along: those who want one call `z.toJSONSchema`, which has its own.
  {
    from: /\/zod\/v4\/classic\/schemas\.js$/,
    source: '../core/json-schema-processors.js',
    code: [
      'const own = (schema, context, json, params) => context.processors[schema._zod.def.type](schema, context, json, params)',
      ...Object.keys(schemaProcessors).map((name) => `export const ${name} = own`),
    ].join('\n'),
  },
  {
    from: /\/zod\/v4\/classic\/schemas\.js$/,
    source: '../core/to-json-schema.js',
    code: 'export const createToJSONSchemaMethod = () => undefined, createStandardJSONSchemaMethod = () => undefined',
  },
  // Every measured text would be searched for emoji by an expression that takes milliseconds to compile. Most texts are ASCII, but for
  // the ellipsis where one is cut, and the codes of bold ones.
  {
    from: /\/cli-table3\/src\/utils\.js$/,
    source: 'string-width',
    code: `
module.exports = (text) => {
  const bare = String(text).replace(/\\x1b\\[\\d*m/g, '')
  return /^[\\x20-\\x7e\\u2026]*$/.test(bare) ? bare.length : require('string-width')(text)
}`,
  },
  // Colours of headings and borders: promo gives both none.
  { from: /\/cli-table3\/src\/cell\.js$/, source: '@colors/colors/safe', code: '' },
  // A failed assertion ends an attempt, and one in twenty milliseconds of a call went to what only describes it.
  {
    from: /\/undici\/lib\//,
    source: 'node:assert',
    code: "module.exports = (holds) => { if (!holds) throw Object.assign(new Error('undici'), { code: 'ERR_ASSERTION' }) }",
  },
  // For the largest head of an answer, which promo sets, and for bodies that are answers of other calls.
  {
    from: /\/undici\/lib\/(core\/util|dispatcher\/client)\.js$/,
    source: 'node:http',
    code: 'exports.maxHeaderSize = 16_384',
  },
  // promo's connections do not offer HTTP/2 (src/api/request/dispatchers.ts).
  {
    from: /undici\/lib\/dispatcher\/client\.js$/,
    source: './client-h2.js',
    code: "module.exports = () => { throw new Error('HTTP/2 was not offered') }",
  },
  // A second parser of HTTP, on trial, which undici's own build for Node leaves out as well.
  {
    from: /undici\/lib\/dispatcher\/client-h1\.js$/,
    source: './parser-h1.js',
    code: 'exports.getMiloEnabled = () => false',
  },
  // Forms, blobs and streams as bodies: promo sends texts and bytes.
  { from: /undici\/lib\/dispatcher\/client-h1\.js$/, source: '../web/fetch/body.js', code: '' },
  { from: /undici\/lib\/core\/request\.js$/, source: '../web/fetch/formdata', code: '' },
  {
    from: /undici\/lib\/core\/request\.js$/,
    source: '../web/webidl',
    code: 'exports.webidl = { is: { FormData: () => false } }',
  },
]

/** Leaves out of the bundle what promo does not use of its libraries. Throws when a library is of another version. */
const onlyNeededParts: Plugin = {
  name: 'only needed parts',
  buildStart() {
    for (const [library, version] of Object.entries(versions)) {
      const installed = JSON.parse(readFileSync(`node_modules/${library}/package.json`, 'utf8')).version
      if (installed === version) continue
      throw new Error(
        `${library} is ${installed}, and what is left out of it was made for ${version}: look at it again`,
      )
    }
  },
  resolveId(source, importer = '') {
    const at = replaced.findIndex((module) => module.source === source && (module.from?.test(importer) ?? true))
    if (at === -1) return null
    const { from, code } = replaced[at] as Replaced
    return `\0${from ? 'unreached' : `entry-${source}`}-${at}.${/^export /m.test(code) ? 'js' : 'cjs'}`
  },
  load(id) {
    const [, at] = /^\0(?:unreached|entry-.*)-(\d+)\.c?js$/.exec(id) ?? []
    return at === undefined ? null : (replaced[Number(at)]?.code ?? null)
  },
}

/**
 * Takes Node's own modules from `process.getBuiltinModule` instead of importing them.
 *
 * An import reads every member of a module, and with it the modules behind them: `node:util`, `node:process` and
 * `node:crypto` bring dgram, worker threads and the REPL along, which takes longer than everything else at the start.
 *
 * Characters beyond ASCII are written as escapes: one of them makes V8 keep the source of its file at twice the size.
 */
const builtinsByName: Plugin = {
  name: 'builtins by name',
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== 'chunk') continue
      chunk.code = withoutBuiltinImports(chunk.code)
      // What the bundled libraries in CommonJS still require are Node's own modules, too.
      if (chunk.name === 'rolldown-runtime') {
        chunk.code = chunk.code.replace(/\w+\(import\.meta\.url\)/, 'process.getBuiltinModule')
      }
      chunk.code = chunk.code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    }
  },
}

/** Modules that take milliseconds to load and of which only functions are used: the first call loads them, and only it. */
const late = new Set(['node:crypto', 'node:fs/promises', 'node:stream/consumers', 'node:timers/promises'])

/** Replaces the imports of Node's own modules in the code of a chunk. */
function withoutBuiltinImports(code: string): string {
  let rest = code
  for (const node of parseAst(code).body.toReversed()) {
    if (node.type !== 'ImportDeclaration' || !node.source.value.startsWith('node:')) continue
    const builtin = `process.getBuiltinModule(${JSON.stringify(node.source.value)})`
    const isLate = late.has(node.source.value)
    const statements = node.specifiers.map((specifier) => {
      const local = specifier.local.name
      if (specifier.type !== 'ImportSpecifier') return `const ${local}=${builtin};`
      if (specifier.imported.type !== 'Identifier')
        throw new Error(`the bundle imports a member of ${builtin} by a text`)
      const { name } = specifier.imported
      const isFunction = /^[a-z]/.test(name) && name !== 'constants'
      return isLate && isFunction
        ? `const ${local}=(...given)=>(${local}.of??=${builtin}).${name}(...given);`
        : `const {${name}:${local}}=${builtin};`
    })
    rest = `${rest.slice(0, node.start)}${statements.join('')}${rest.slice(node.end)}`
  }
  return rest
}

/**
 * Replaces modules by what they compute. Columns, and the schemas of `promo mcp`, are derived from the complete forms of the answers,
 * which take longer to load than most commands run; the demo project is loaded by the whole service.
 */
const computedModules: Plugin = {
  name: 'computed modules',
  async load(id) {
    if (!/\/src\/(output\/columns\/.*|cli\/topics\/mcp\/schemas|sandbox\/seed\/demo\/stored)\.ts$/.test(id)) return null
    const exported = Object.entries((await import(id)) as object)
    const computed = exported.find(([, value]) => typeof value === 'function')
    if (computed !== undefined)
      throw new Error(`${id} exports the function ${computed[0]}: such a module has data alone`)
    return exported.map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}\n`).join('')
  },
}

/** Whose modules get a copy of zod of their own, and which modules are of that copy. */
const needsOwnZod = /\/node_modules\/@modelcontextprotocol\/|\/node_modules\/zod\/.*\?own$/

/** Loads zod when a schema is first looked at: the members that promo's own modules use, in files that `late-zod.js` names. */
const lateZod: Plugin = {
  name: 'late zod',
  buildStart() {
    for (const name of ['zod', 'zod-json-schema'])
      this.emitFile({ type: 'chunk', id: `\0${name}`, fileName: `${name}.js` })
  },
  resolveId(source, importer = '') {
    if (source.startsWith('\0zod')) return source
    return source === 'zod' && importer.includes('/src/') ? join(import.meta.dirname, 'late-zod.js') : null
  },
  load(id) {
    if (id === '\0zod-json-schema') return "export { toJSONSchema } from 'zod'"
    if (id !== '\0zod') return null
    const source = globSync('src/**/*.ts').map((file) => readFileSync(file, 'utf8'))
    const used = new Set(
      source.flatMap((text) => text.match(/(?<=\bz\.)\w+(?=[(<]|\.[a-z]+\()|(?<=instanceof z\.)\w+/g) ?? []),
    )
    return `export { ${[...used].filter((name) => name in zod && name !== 'toJSONSchema').join(', ')} } from 'zod'`
  },
}

/** Keeps the parts of zod that only the protocol of `promo mcp` uses out of the file that every command loads. */
const zodForProtocol: Plugin = {
  name: 'zod for the protocol',
  async resolveId(source, importer = '') {
    const isZod = source.startsWith('zod') || (source.startsWith('.') && importer.endsWith('?own'))
    if (!isZod || !needsOwnZod.test(importer)) return null
    const from = importer.replace('?own', '')
    if (source.startsWith('.')) return `${join(dirname(from), source)}?own`
    const resolved = await this.resolve(source, from, { skipSelf: true })
    return resolved && `${resolved.id}?own`
  },
  load(id) {
    return id.endsWith('?own') ? readFileSync(id.slice(0, -'?own'.length), 'utf8') : null
  },
}

/** What makes a bundle start quickly. */
export const quickStart = [lateZod, zodForProtocol, onlyNeededParts, computedModules, builtinsByName]
