import { Args, Flags } from '@oclif/core'
import { PromoCommand } from '../../cli/command.ts'
import { changesSettings } from '../../cli/exits.ts'
import { newProfile } from '../../cli/topics/profiles/new-profile.ts'
import { EXIT } from '../../errors.ts'
import { checkNewName } from '../../profiles/profile.ts'

export default class Add extends PromoCommand {
  static override summary = 'Store a profile: its cluster, its project and its credentials'
  static override description =
    `On a terminal, promo asks for what is missing and hides tokens. Otherwise the secrets come from the environment
(PROMO_APP_ID, PROMO_APP_TOKEN, …, each also as …_FILE) or from stdin: the bare application token, or lines like
app_token=… and management_token=…. No flag takes a secret. Secrets are stored in the operating system's keyring,
or with --insecure-storage in a file that only you can read.`
  static override examples = [
    '<%= config.bin %> profiles add live --region eu --project-id proj_1 --protected',
    '<%= config.bin %> profiles add staging --base-url https://promo.example.com --app-id 3f1c --insecure-storage < token.txt',
  ]
  static override aliases = ['login']
  static override effect = 'local' as const
  static override exits = [changesSettings, EXIT.unconfirmed]
  static override args = {
    name: Args.string({ description: 'a name of your choice, like live', ignoreStdin: true, required: true }),
  }
  static override asks = { name: { question: 'a name for the profile, like live:', check: checkNewName } }
  static override flags = {
    region: Flags.option({
      description: 'the shared cluster',
      exclusive: ['base-url'],
      options: ['eu', 'us', 'as'] as const,
    })(),
    'base-url': Flags.string({ description: 'the address of a dedicated cluster', helpValue: 'URL' }),
    'project-id': Flags.string({ description: 'the id of the project, for management calls', helpValue: 'ID' }),
    'app-id': Flags.string({ description: 'the application id (its token is asked for)', helpValue: 'ID' }),
    'management-id': Flags.string({ description: 'the management id (its token is asked for)', helpValue: 'ID' }),
    protected: Flags.boolean({ description: "ask for the profile's name before every write" }),
    'api-version': Flags.string({ description: "the API version to use instead of the project's own" }),
    rate: Flags.string({
      description: 'the maximum request rate, unless a command sets another',
      helpValue: 'N/s|N/m',
    }),
    'insecure-storage': Flags.boolean({ description: 'keep the secrets in a file (0600) if there is no keyring' }),
  }

  async run() {
    const { args, flags } = await this.input(Add)
    const { profile, place } = await newProfile(args.name, flags, this.host)
    this.messages(flags).say(`stored profile ${profile.name} for ${profile.origin}, its secrets in ${place}`)
    this.messages(flags).say(`try: promo profiles verify ${profile.name}`)
  }
}
