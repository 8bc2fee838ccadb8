// The flags for what people type about customers.
import type { MemberFlags } from '../../request/member-flags.ts'

/** What a new customer is given, and what an update changes. */
export const customerMembers: MemberFlags = {
  name: { about: 'the name' },
  email: { about: 'the e-mail address' },
  phone: { about: 'the phone number' },
  birthdate: { about: 'the day of birth, like 1990-05-31', value: 'DAY' },
  metadata: { about: 'one metadata field', takes: 'pairs' },
}
