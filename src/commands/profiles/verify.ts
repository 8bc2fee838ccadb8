import { PromoCommand } from '../../cli/command.ts'
import { serviceFlags } from '../../cli/flags/flags.ts'
import { optionalArgument } from '../../cli/flags/kinds.ts'
import { acceptedCalls, acceptedKeys } from '../../cli/topics/profiles/accepted.ts'

export default class Verify extends PromoCommand {
  static override summary = 'Ask the service whether it accepts the credentials of a profile'
  static override description =
    'Sends one read call: a page of one voucher, or with management keys alone, the list of projects. Exits 4 if the credentials are refused.'
  static override examples = ['promo profiles verify sandbox', 'promo profiles verify --profile sandbox']
  static override calls = acceptedCalls
  static override args = { name: optionalArgument('a profile (default: the one that commands would use)') }
  static override flags = serviceFlags

  async run() {
    const { args } = await this.input(Verify)
    const client = await this.connect({ name: args.name })
    const keys = await acceptedKeys(client)
    const { name, origin } = client.profile
    this.show.say(`the service at ${origin} accepts the ${keys} credentials of profile ${name}`)
  }
}
