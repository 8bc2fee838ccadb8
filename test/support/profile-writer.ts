// One of many processes that change the settings at the same time:
// node profile-writer.ts DIR NAME COUNT adds the profiles NAME-1 to NAME-COUNT, with secrets in the file.
import { secretStore } from '../../src/profiles/secrets.ts'
import { openStore } from '../../src/profiles/store.ts'

const [dir = '', name = '', count = '1'] = process.argv.slice(2)
const store = openStore(dir)
const secrets = await secretStore('file', dir)

for (let n = 1; n <= Number(count); n++) {
  const { origin } = await store.add({ name: `${name}-${n}`, region: 'eu', protected: false, secrets_in: 'file' })
  await secrets.set(`${name}-${n}`, origin, { app_id: 'id', app_token: `token-${name}-${n}` })
}
