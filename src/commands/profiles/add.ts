import type { Client } from '../../api/client.ts'
import { listNames, mostNamed } from '../../base/name-list.ts'
import { isTimeZone } from '../../base/time/time-zone.ts'
import { PromoCommand } from '../../cli/command.ts'
import { changesSettings } from '../../cli/exits.ts'
import { argument, switchFlag } from '../../cli/flags/kinds.ts'
import { askYesNo } from '../../cli/prompt/prompts.ts'
import { storedProfiles } from '../../cli/session/profile-store.ts'
import { newProfile } from '../../cli/topics/profiles/add.ts'
import { settingFlags } from '../../cli/topics/profiles/flags.ts'
import { changedProfile } from '../../cli/topics/profiles/update.ts'
import { listProjects } from '../../contract/projects.ts'
import { EXIT, PromoError } from '../../errors.ts'
import { checkNewName, type Profile } from '../../profiles/profile.ts'

export default class Add extends PromoCommand {
  static override summary = 'Store a profile: its cluster, its project and its credentials'
  static override description =
    "On a terminal, promo asks for what is missing and hides tokens. Otherwise secrets come from the environment (PROMO_APP_ID, PROMO_APP_TOKEN …, or the same with _FILE) or stdin, as `sandbox start --json` prints them. No flag takes one. They are kept in the system's keyring, or with --insecure-storage in a private file. With management keys, promo asks the service for the project's id."
  static override examples = [
    'promo profiles add live --region eu --project-id proj_1 --protected',
    'promo profiles add staging --base-url https://promo.example.com --app-id 3f1c --insecure-storage < token.txt',
  ]
  static override aliases = ['login']
  static override effect = 'local' as const
  static override calls = [listProjects]
  static override exits = [changesSettings, EXIT.unconfirmed]
  static override args = { name: argument('a name of your choice, like live') }
  static override asks = { name: { question: 'a name for the profile, like live:', check: checkNewName } }
  static override flags = {
    ...settingFlags,
    protected: switchFlag("ask for the profile's name before every write"),
    'read-only': switchFlag('send nothing that may change the project'),
    'insecure-storage': switchFlag('keep the secrets in a file (0600) if there is no keyring'),
  }

  async run() {
    const { args, flags } = await this.input(Add)
    const { show: messages } = this
    if (await this.existsAlready(args.name)) {
      const { profile, keysIn } = await changedProfile(args.name, { ...flags, keys: true }, this)
      messages.say(`replaced the keys of profile ${profile.name} in ${keysIn}; its other settings stay`)
    } else {
      const { profile, place, hasManagementKeys } = await newProfile(args.name, flags, this)
      messages.say(`stored profile ${profile.name} for ${profile.origin}, its secrets in ${place}`)
      if (hasManagementKeys && profile.project_id === undefined) await this.storeProject(profile)
    }
    messages.say(`try: promo profiles verify ${args.name}`)
  }

  /** Says whether the profile exists and its keys are to be replaced. Throws `usage` where that cannot be asked. */
  private async existsAlready(name: string): Promise<boolean> {
    const { store } = await storedProfiles(this.host)
    if (!this.canAsk() || !(await store.get(name))) return false
    const question = `there is already a profile "${name}"; replace its keys and keep its other settings?`
    if (await askYesNo(question, this.host)) return true
    throw new PromoError('confirmation', 'declined; nothing was stored')
  }

  private async storeProject({ name, timezone: chosen }: Profile): Promise<void> {
    const client = await this.connect({ name, timeoutMs: 10_000, retries: 0 })
    const found = await projectOfKeys(client)
    const { show: messages } = this
    if ('unknown' in found) {
      messages.say(`the id of its project is not known (${found.unknown})`)
      messages.say(`try: promo profiles update ${name} --project-id ID`)
      return
    }
    const { store } = await storedProfiles(this.host)
    const timezone = chosen ?? found.timezone
    await store.update(name, { project_id: found.id, ...(timezone !== undefined && { timezone }) })
    messages.say(`its project is ${found.id}${timezone === undefined ? '' : `, and its days are those of ${timezone}`}`)
  }
}

/**
 * Asks the service which project the management keys belong to: the only one of the organisation.
 *
 * Undefined with the reason when the service names several, or does not answer; a profile is stored all the same.
 */
async function projectOfKeys(client: Client): Promise<{ id: string; timezone?: string } | { unknown: string }> {
  try {
    const found: { id: string; timezone?: string }[] = []
    for await (const { id, timezone } of client.items(listProjects)) {
      if (typeof id === 'string') found.push({ id, ...(isTimeZone(timezone) && { timezone: timezone as string }) })
    }
    const [only] = found
    if (only !== undefined && found.length === 1) return only
    const ids = found.map(({ id }) => id)
    return {
      unknown:
        ids.length === 0
          ? 'the service names no project'
          : `the keys open ${ids.length} projects: ${listNames(ids, mostNamed)}`,
    }
  } catch (error) {
    if (!(error instanceof PromoError)) throw error
    return { unknown: error.message }
  }
}
