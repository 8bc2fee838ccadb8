import { writeCommand } from '../../cli/declared/write.ts'
import { tokenBody, tokenFlag } from '../../cli/topics/token/given-token.ts'
import { revokeToken } from '../../contract/oauth.ts'

export default writeCommand('Revoke a token before it expires', {
  description:
    'The token comes from --token-file, PROMO_ACCESS_TOKEN or stdin, and is never shown. A token that is unknown or no longer active is refused.',
  examples: [
    'promo token create --scope api --raw -p sandbox | promo token revoke -p sandbox',
    'promo token create --scope api --raw -p sandbox | promo token revoke --dry-run -p sandbox',
  ],
  calls: [revokeToken],
  instead: 'promo token create --help',
  flags: tokenFlag,
  body: tokenBody,
  request: ({ body }) => ({ body }),
  done: () => 'the token is revoked',
})
