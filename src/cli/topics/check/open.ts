// What is checked: a folder of files, or the project of the profile, in the form that rules look at.
import { join } from 'node:path'
import type { Client, RequestOf } from '../../../api/client.ts'
import { nearest } from '../../../base/nearest.ts'
import { formatCount } from '../../../base/numbers.ts'
import { isRecord } from '../../../base/record.ts'
import { type Choice, chosenRules, type Finding, findingsOf } from '../../../check/check.ts'
import { ignoresIn, type Placed, withoutIgnored } from '../../../check/ignores.ts'
import { rules } from '../../../check/rules.ts'
import type { Shop, ShopObject } from '../../../check/shop.ts'
import { wholeOf } from '../../../config/addresses.ts'
import { type Folder, mustBeValid, readFolder } from '../../../config/folder.ts'
import { type Identified, identify, type Read, readProject } from '../../../config/project.ts'
import { rootFile } from '../../../config/root-file.ts'
import { lineAt, type OpenFile } from '../../../config/yaml-file.ts'
import { getCampaignSummary } from '../../../contract/campaigns.ts'
import { listCustomers } from '../../../contract/customers.ts'
import { listPrograms } from '../../../contract/loyalty-programs.ts'
import { listCustomerSegments } from '../../../contract/segments.ts'
import { listSkus } from '../../../contract/skus.ts'
import { listAssignments } from '../../../contract/validation-rules.ts'
import { listVouchers } from '../../../contract/voucher-lists.ts'
import { PromoError, usageError } from '../../../errors.ts'
import { fileKinds, kinds } from '../../../model/kinds.ts'
import { type Members, Reference, valueAt } from '../../../model/value.ts'
import { environmentName } from '../../../profiles/profile.ts'
import { tryRead } from '../../result/try-read.ts'
import type { Host } from '../../run/host.ts'
import { projectOf } from '../../session/project.ts'
import { mustBeProject, type Surrounding } from '../config/open.ts'
import { estimate } from '../sandbox/copy.ts'

/** What a check says. */
export interface Checked {
  findings: Placed[]
  /** Findings that comments hide. */
  hidden: number
  /** What was looked at, in words. */
  looked: string
  /** What could not be checked, and why. */
  unchecked: string[]
  shop: Shop
}

/** The calls of a check of a project. */
export const checkCalls = [
  ...kinds.map(({ calls }) => calls.list),
  listAssignments,
  listPrograms,
  listVouchers,
  getCampaignSummary,
  // For --combinations.
  listCustomers,
  listCustomerSegments,
  listSkus,
]

/** Throws `usage` for a rule that there is none of. */
export function mustBeRules(ids: readonly string[] = [], where = 'usage'): void {
  const known = rules.map(({ id }) => id)
  const unknown = ids.find((id) => !known.includes(id))
  if (unknown === undefined) return
  const meant = nearest(unknown, known)
  const words = `no rule is called "${unknown}"${meant === undefined ? '' : `; did you mean "${meant}"?`}`
  if (where !== 'usage') throw new PromoError('input', `${where}: ${words}`)
  throw usageError(words, `rules are ${known.join(', ')}`)
}

/** Reads a folder as rules look at it. */
export function shopOfFolder(folder: Folder, about: Pick<Shop, 'nowMs' | 'floor'>): Shop {
  const objects = [...folder.objects.values()].map(
    ({ kind, address, name, members, parent, index, generate, isPartial }) => {
      const object = { kind, address, name, members, parent, position: index, isPartial }
      return [address, generate === undefined ? object : { ...object, count: generate }] as const
    },
  )
  return {
    ...about,
    objects: new Map<string, ShopObject>(objects),
    isOnline: false,
    hasAllProducts: folder.whole.includes('products'),
    unreadable: [],
  }
}

/** Checks a folder, without the service. Throws `input` (exit 2) for files that cannot be used. */
export async function checkFolder(
  dir: string,
  { profile = environmentName, floor, ...choice }: Choice & { profile?: string | undefined; floor: number },
  host: Pick<Host, 'env' | 'stop' | 'now'>,
): Promise<Checked> {
  const folder = await readFolder(dir, { profile, env: host.env, stop: host.stop })
  mustBeProject(folder, dir)
  mustBeValid(folder)
  const checked = checkedFolder(folder, { ...choice, floor, nowMs: host.now() })
  return { ...checked, findings: checked.findings.map((one) => ({ ...one, file: one.file && join(dir, one.file) })) }
}

/** Checks a folder that was read. */
function checkedFolder(folder: Folder, { floor, nowMs, ...choice }: Choice & Pick<Shop, 'floor' | 'nowMs'>): Checked {
  const chosen = { ...choice, ...choiceOf(folder) }
  const shop = shopOfFolder(folder, { nowMs, floor })
  const found = findingsOf(shop, chosen)
  const { shown, hidden } = withoutIgnored(placeFindings(found, folder), ignoresOf(folder), chosen)
  const left = chosenRules(chosen).filter(({ needs }) => needs !== undefined)
  return {
    shop,
    findings: shown,
    hidden,
    looked: `${formatCount(folder.objects.size, 'object')} in ${formatCount(folder.files.size, 'file')}`,
    unchecked: [
      ...left.map(({ id, needs }) => `${id} needs ${needs}`),
      'codes that are in no campaign are in the project alone',
    ],
  }
}

/** Returns the severities that a folder declares. Throws `input` for a rule that there is none of. */
export function choiceOf({ checks }: Pick<Folder, 'checks'>): Pick<Choice, 'severities'> {
  mustBeRules(Object.keys(checks), rootFile)
  return { severities: checks as NonNullable<Choice['severities']> }
}

/** Returns findings with their places; a file is opened again for its first one. */
export function placeFindings(findings: readonly Finding[], folder: Folder): Placed[] {
  const opened = new Map<string, OpenFile>()
  return findings.map(({ object, member, ...finding }) => {
    const { file, at = [] } = folder.objects.get(object.address) ?? {}
    if (file === undefined) return { ...finding, object: object.address }
    const read = opened.get(file) ?? folder.reopened(file)
    opened.set(file, read)
    return { ...finding, object: object.address, file, line: lineAt(read, [...at, ...(member?.split('.') ?? [])]) }
  })
}

/** The comments of a folder that hide findings. */
export function ignoresOf(folder: Folder) {
  const byFile = Map.groupBy(folder.objects.values(), ({ file }) => file)
  return [...byFile].flatMap(([file, objects]) =>
    ignoresIn(file, folder.files.get(file) ?? '', () => {
      const read = folder.reopened(file)
      return objects
        .map(({ address, at }) => ({ address, line: lineAt(read, at) }))
        .toSorted((one, other) => one.line - other.line)
    }),
  )
}

/** The most single codes that are read: more of them are not shared ones, and cost a request a hundred. */
const mostCodes = 2000
const singleCodes = {
  filters: { campaign_id: { conditions: { $is_unknown: true } }, type: { conditions: { $in: ['DISCOUNT_VOUCHER'] } } },
}

/** Checks the project of a profile. Throws `CallError`. */
export async function checkProject(
  { client, host, messages }: Surrounding,
  { floor, ...choice }: Choice & Pick<Shop, 'floor'>,
): Promise<Checked> {
  const projectId = projectOf(undefined, client.profile)
  const codes = await codesOf(client)
  const estimates = await estimate(client, { configured: [], data: [] })
  const requests =
    estimates.reduce((sum, one) => sum + one.requests, 0) +
    Math.ceil(Math.min(codes.total, mostCodes) / 100) +
    Number(estimates.find(({ kind }) => kind === 'campaigns')?.objects ?? 0)
  messages.say(
    `reading project ${projectId} of profile "${client.profile.name}": about ${formatCount(requests, 'request')}, and none changes anything`,
  )
  const read = await readProject(client, projectId, { managed: fileKinds, whole: ['products'], wanted: new Map() })
  const project = identify(read, new Map(), new Map())
  const configured = shopOfProject(project, read, { nowMs: host.now(), floor })
  const single = await codes.read((id) => project.addressOf.get(id))
  const objects = new Map<string, ShopObject>()
  for (const object of [...configured.objects.values(), ...single]) {
    const used = await usedOf(client, object)
    objects.set(object.address, used === undefined ? object : { ...object, used })
  }
  const shop = { ...configured, objects }
  const findings = findingsOf(shop, choice).map(({ object, member: _, ...finding }) => ({
    ...finding,
    object: object.address,
  }))
  return {
    shop,
    findings,
    hidden: 0,
    looked: formatCount(shop.objects.size, 'object'),
    unchecked: [
      ...read.unreadable.map((kind) => `${kind} cannot be read: the profile has no management keys`),
      ...(codes.total > mostCodes
        ? [`of ${formatCount(codes.total, 'code')} in no campaign, the newest ${mostCodes} are checked`]
        : []),
    ],
  }
}

/** Reads a project as rules look at it; its single codes are no configuration. */
export function shopOfProject(
  { objects }: Pick<Identified, 'objects'>,
  { unreadable }: Pick<Read, 'unreadable'>,
  about: Pick<Shop, 'nowMs' | 'floor'>,
): Shop {
  const found = [...objects.values()].map(({ kind, address, members, wire, position }): [string, ShopObject] => {
    const name = [wire.name, wire.source_id].find((one): one is string => typeof one === 'string')
    const { vouchers_count: count } = wire
    const object = { kind, address, name, members, wire, ...(position !== undefined && { position }) }
    const parent = kind.within === undefined ? {} : { parent: wholeOf(address) }
    return [address, { ...object, ...parent, ...(typeof count === 'number' && { count }) }]
  })
  return { ...about, objects: new Map(found), isOnline: true, hasAllProducts: true, unreadable }
}

/** The discount codes that belong to no campaign: how many there are, and the newest of them. */
async function codesOf(client: Client) {
  const query = { ...singleCodes, limit: 1 }
  const { total = 0 } = ((await tryRead(
    () => client.call(listVouchers, { query } as RequestOf<typeof listVouchers>),
    () => {},
  )) ?? {}) as { total?: number }
  return {
    total,
    async read(addressOf: (id: string) => string | undefined): Promise<ShopObject[]> {
      const codes: ShopObject[] = []
      if (total === 0) return codes
      for await (const wire of client.items(listVouchers, { query: singleCodes } as RequestOf<typeof listVouchers>)) {
        codes.push(codeFrom(wire, addressOf))
        if (codes.length === mostCodes) break
      }
      return codes
    },
  }
}

/** How many codes of a campaign are handed out, or how often a code was redeemed; undefined where nothing can run out. */
async function usedOf(client: Client, { kind, wire, count = 0 }: ShopObject): Promise<number | undefined> {
  if (kind.name === 'codes') return Number(valueAt(wire, 'redemption.redeemed_quantity') ?? 0)
  if (kind.name !== 'campaigns' || wire?.type !== 'STATIC' || count < 2 || wire.active === false) return undefined
  const summary = await tryRead(
    () => client.call(getCampaignSummary, { path: { campaignId: String(wire.id) } }),
    () => {},
  )
  const { publications_succeeded, redemptions_succeeded } = (summary ?? {}) as Record<string, unknown>
  return Math.max(Number(publications_succeeded ?? 0), Number(redemptions_succeeded ?? 0))
}

function codeFrom(wire: Record<string, unknown>, addressOf: (id: string) => string | undefined): ShopObject {
  const { validation_rules_assignments: assigned, code } = wire
  const list = isRecord(assigned) && Array.isArray(assigned.data) ? assigned.data : []
  const references = list.flatMap((one) => {
    const address = isRecord(one) ? addressOf(String(one.rule_id)) : undefined
    return address === undefined ? [] : [new Reference(address)]
  })
  const category = typeof wire.category_id === 'string' ? addressOf(wire.category_id) : undefined
  const members: Members = new Map<string, unknown>([
    ...['discount', 'redemption.quantity', 'start_date', 'expiration_date', 'active', 'metadata'].flatMap(
      (path): [string, unknown][] => {
        const value = valueAt(wire, path)
        return value == null ? [] : [[path, value]]
      },
    ),
    ['validation_rules', references],
    ...(category === undefined ? [] : [['category_id', new Reference(category)] as [string, unknown]]),
  ])
  return { kind: { name: 'codes', noun: 'code' }, address: `codes/${String(code)}`, name: String(code), members, wire }
}
