export { Config } from '@oclif/core'
