// The tools that change something: one command line each, carried out only after a person has said yes to its question.
import { z } from 'zod'
import { shellWord } from '../../../base/shell-word.ts'
import { visible } from '../../../bulk/input/input-error.ts'
import { EXIT } from '../../../errors.ts'
import type { Resolved } from '../../../profiles/resolve.ts'
import type { Host } from '../../run/host.ts'
import { type CommandRunner, Unanswered, withFlags } from './command-runner.ts'
import { type LineOptions, type RanLine, runLine } from './run-line.ts'
import { campaignName, flag, invalid, jobId, jobOf, text } from './tools.ts'

/** A tool that writes. */
export interface WriteTool {
  title: string
  description: string
  input: z.ZodObject
  /** Returns its command line. Throws `Unanswered`. */
  line: (input: never, desk: CommandRunner, profile: Resolved) => Promise<string[]>
}

function tool<Input extends z.ZodObject>(
  title: string,
  description: string,
  input: Input,
  line: (input: z.output<Input>, desk: CommandRunner, profile: Resolved) => string[] | Promise<string[]>,
): WriteTool {
  return { title, description, input, line: async (...given) => await line(...given) }
}

const reason = z.string().min(3).max(200).describe('the reason, recorded in the history')

/** The tools that write, by name; none of them deletes. */
export const writeTools: Readonly<Record<string, WriteTool>> = {
  disable_vouchers: tool(
    'Switch vouchers off',
    'Switch voucher codes off. The user is asked first.',
    z.strictObject({ codes: z.array(text('code')).min(1).max(500) }),
    ({ codes }) => ['vouchers', 'disable', '--', ...codes],
  ),
  change_points: tool(
    'Add or remove points',
    'Add points to a loyalty card, or remove them (negative). The user is asked first.',
    z.strictObject({ card: text('code of a loyalty card'), points: z.int().min(-1e9).max(1e9), reason }),
    ({ card, points, reason }) => {
      const verb = points < 0 ? 'remove' : 'add'
      const flags = [`--points=${Math.abs(points)}`, `--reason=${reason}`]
      return ['loyalty', 'points', verb, ...flags, '--', card]
    },
  ),
  roll_back_redemption: tool(
    'Roll a redemption back',
    'Roll a redemption back: credit and points return, and the code can be used once more. Final. The user is asked first.',
    z.strictObject({ redemption: text('id, like r_…'), reason }),
    ({ redemption, reason }) => ['redemptions', 'rollback', `--reason=${reason}`, '--', redemption],
  ),
  publish_voucher: tool(
    'Give a code',
    'Give a customer a code: a certain one, or any free one of a campaign. The user is asked first.',
    z.strictObject({
      customer: z
        .string()
        .min(1)
        .max(250)
        .regex(/^[^,=]+$/)
        .describe('customer, by source id'),
      code: text('code').optional(),
      campaign: campaignName.optional(),
    }),
    ({ customer, code, campaign }) => {
      if ((code === undefined) === (campaign === undefined)) throw invalid('name one of code and campaign')
      const flags = [...flag('voucher', code), ...flag('campaign', campaign), `--customer=source_id=${customer}`]
      return ['publications', 'create', ...flags]
    },
  ),
  resume_job: tool(
    'Resume a job',
    'Resume a stopped bulk job of this profile, unless it deletes: the rows that are left are sent. The user is asked first.',
    z.strictObject({ job: jobId }),
    async ({ job }, desk, profile) => ['jobs', 'resume', '--', String((await jobOf(job, desk, profile)).id)],
  ),
}

/** What a session may still change. */
export interface Allowance {
  writes: number
  rows: number
}

/** Takes a write out of what is left. Throws `Unanswered` for one that deletes or is too many, of which nothing is sent. */
export function spend(left: Allowance, { rows, deletes, commandLine }: Plan): void {
  const set = (name: string) => `the person who starts the server sets ${name}`
  if (deletes) throw refusedWrite('it deletes, which no tool does', commandLine)
  if (left.writes < 1) throw refusedWrite('no write is left in this session', set('--max-writes'))
  if (rows > left.rows)
    throw refusedWrite(`${rows} rows are more than the ${left.rows} left in this session`, set('--max-rows'))
  left.writes -= 1
  left.rows -= rows
}

function refusedWrite(message: string, hint: string): Unanswered {
  return new Unanswered({
    kind: 'confirmation',
    message: `${message}; nothing was sent`,
    exit_code: EXIT.unconfirmed,
    hint,
  })
}

/** What a person is asked: the question of the command, and below it the command line. */
export interface Plan {
  question: string
  /** The rows that it changes. */
  rows: number
  deletes: boolean
  commandLine: string
}

/** Codes that a plan names, and how many characters they may take. */
const mostWords = 20
const mostCharacters = 2000

/**
 * Returns what a person is asked; the result of the command where it asks nothing, because there is nothing to do. Both parts are
 * one line, whatever is in a value. Throws `Unanswered`.
 */
export async function planOf(argv: readonly string[], options: LineOptions) {
  let plan: Plan | undefined
  const ask: Host['ask'] = async (question, about) => {
    plan = { question, ...about, commandLine: commandLineOf(argv) }
    return false
  }
  const ran = await runLine(withFlags(argv, '--jsonl'), { ...options, host: withAnswer(options, ask) })
  return plan ?? resultOf(ran)
}

function commandLineOf(argv: readonly string[]): string {
  let [line, shown] = ['promo', 0]
  for (const word of argv.slice(0, mostWords).map((one) => visible(shellWord(one)))) {
    if (line.length + word.length > mostCharacters) break
    line += ` ${word}`
    shown += 1
  }
  return shown === argv.length ? line : `${line} and ${argv.length - shown} more`
}

/** Carries a write out, if it still asks what the person has agreed to. Throws `Unanswered`. */
export async function carryOut(argv: readonly string[], plan: Plan, options: LineOptions) {
  let isSame = true
  const ask: Host['ask'] = async (asked) => {
    isSame = asked === plan.question
    return isSame
  }
  const ran = await runLine(withFlags(argv, '--jsonl'), { ...options, host: withAnswer(options, ask) })
  if (!isSame) throw changedPlan()
  return resultOf(ran)
}

function resultOf(ran: RanLine) {
  const lines = ran.output.split('\n').filter(Boolean)
  if (ran.error && lines.length === 0) throw new Unanswered(ran.error)
  const told = ran.error ? [ran.error.message] : []
  const records = lines.map((line) => JSON.parse(line) as { t?: unknown })
  const summary = records.find(({ t }) => t === 'summary')
  const rows = records.filter((record) => record !== summary)
  return { content: { exit_code: ran.exitCode, rows, ...(summary && { summary }) }, notes: [...ran.notes, ...told] }
}

function changedPlan(): Unanswered {
  const message = 'what would happen has changed since the question; nothing was sent'
  return new Unanswered({ kind: 'confirmation', message, exit_code: EXIT.unconfirmed, hint: 'ask again' })
}

function withAnswer({ host }: LineOptions, ask: Host['ask']) {
  return Object.assign(Object.create(host), { ask })
}
