import { severities } from '../check/rule.ts'
import { PromoCommand } from '../cli/command.ts'
import { callFlags, groupFlags } from '../cli/flags/flags.ts'
import { choiceFlag, count, names, optionalArgument } from '../cli/flags/kinds.ts'
import type { ProgramConfig } from '../cli/run/host.ts'
import { checkCalls, checkFolder, checkProject, mustBeRules } from '../cli/topics/check/open.ts'
import { reportFormats } from '../cli/topics/check/reports.ts'
import { showFindings } from '../cli/topics/check/show.ts'
import { EXIT } from '../errors.ts'
import { basketColumns, findingColumns } from '../output/columns/findings.ts'
import { formats } from '../output/shape.ts'

export default class Check extends PromoCommand {
  static override summary = 'Find expensive mistakes in a project, or in its files without the service (exit 12: found)'
  static override description =
    'Looks for discounts that give baskets away, codes that can be guessed or have no limit, campaigns without an end, and rules that nobody meets. A folder of `config pull` needs neither keys nor the service. In a file, the comment `# check: ignore RULE because REASON` hides a finding. checks: in promo.yaml changes severities.'
  static override examples = [
    'promo check --profile sandbox',
    'promo config pull ~/shop --profile sandbox | tail -1; promo check ~/shop --only guessable-codes --fail-on warning',
    'promo check --only end-before-start,guessable-codes --json --profile sandbox',
  ]
  static override calls = checkCalls
  static override columns = [findingColumns, basketColumns]
  static override exits = [EXIT.no]
  static override args = { dir: optionalArgument('a folder of config pull; default: the project of the profile') }
  static override flags = {
    ...callFlags,
    ...groupFlags('OUTPUT', {
      format: choiceFlag(
        'the format of the result (default: by the name of --out, else a text)',
        [...formats, ...reportFormats],
        {
          exclusive: ['json', 'jsonl', 'csv', 'excel'],
        },
      ),
    }),
    only: names('only these rules', 'RULE,…'),
    ignore: names('all but these rules', 'RULE,…'),
    'fail-on': choiceFlag('end with 12 for findings as bad as this, or worse', severities, { default: 'error' }),
    combinations: count('find the N worst baskets that discounts reach together (without N: 10)', 1, 100, {
      exclusive: ['only', 'ignore', 'fail-on'],
    }),
    floor: count('the part of an order, in percent, that discounts may take off together', 1, 100, { default: 50 }),
  }

  constructor(argv: string[], config: ProgramConfig) {
    // The parser knows no value that may be left out.
    const isAlone = (word: string, at: number) =>
      word === '--combinations' && !/^(?:-?\d|$)/.test(argv[at + 1] ?? 'none')
    super(
      argv.map((word, at) => (isAlone(word, at) ? '--combinations=10' : word)),
      config,
    )
  }

  async run() {
    const { args, flags } = await this.input(Check)
    const { combinations } = flags
    mustBeRules([...(flags.only ?? []), ...(flags.ignore ?? [])])
    const { show: messages } = this
    const choice = { only: flags.only, ignored: flags.ignore, floor: flags.floor }
    const client = args.dir === undefined ? await this.connect() : undefined
    const checked =
      client !== undefined
        ? await checkProject({ client, host: this.host, messages }, choice)
        : await checkFolder(args.dir ?? '', { ...choice, profile: flags.profile }, this.host)
    if (combinations !== undefined) {
      const { showBaskets, sourceIn } = await import('../cli/topics/check/combine.ts')
      const source = client && sourceIn(client, messages)
      this.exitCode = await showBaskets(checked.shop, source, { format: flags.format, most: combinations }, messages)
      return
    }
    this.exitCode = await showFindings(
      checked,
      { format: flags.format, failsOn: flags['fail-on'], version: this.config.version },
      messages,
    )
  }
}
