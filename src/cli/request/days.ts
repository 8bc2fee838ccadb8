// A day where the service takes an instant: `expiration_date=2026-12-31`. Everybody means the end of that day, and
// the beginning of the day on which something starts, in the time zone of the project.
import type { Clock } from '../flags/time.ts'
import type { Home, Host } from '../run/host.ts'

/** Returns which edge of a day a member means: `expiration_date` and `end_date` are ends, all others are beginnings. */
export function edgeAt(path: readonly string[]): 'start' | 'end' {
  return /^(expir|end)/.test(path.at(-1) ?? '') ? 'end' : 'start'
}

/** The flags that say where days begin and end. */
interface DayFlags {
  profile?: string | undefined
  tz?: string | undefined
}

/** Returns when and where a command runs. Throws as `timeZoneOfDays`. */
export async function clockOf(given: DayFlags, host: Home & Pick<Host, 'now'>): Promise<Clock> {
  return { nowMs: host.now(), timeZone: await timeZoneOfDays(given, host) }
}

/**
 * Returns the time zone in which days are meant: that of --tz, PROMO_TIMEZONE, or the one of the profile, or UTC.
 *
 * Reads the settings only: a profile that does not exist, or settings that are damaged, are reported when the profile is
 * resolved. Throws `config` for a PROMO_TIMEZONE that is none.
 */
async function timeZoneOfDays(given: DayFlags, host: Home & Pick<Host, 'now'>): Promise<string> {
  if (given.tz !== undefined) return given.tz
  const { PROMO_TIMEZONE, PROMO_PROFILE } = host.env
  if (PROMO_TIMEZONE !== undefined) {
    const { checkedTimeZone } = await import('../../profiles/environment.ts')
    return checkedTimeZone(PROMO_TIMEZONE)
  }
  const { storedProfiles } = await import('../session/profile-store.ts')
  const { store } = await storedProfiles(host)
  const readStored = async () => {
    const name = given.profile ?? PROMO_PROFILE ?? (await store.current())
    return name === undefined ? undefined : await store.get(name)
  }
  return (await readStored().catch(() => undefined))?.timezone ?? 'UTC'
}
