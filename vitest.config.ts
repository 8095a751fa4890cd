import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 20_000,
    hookTimeout: 20_000,
    // Two cores: more workers only make the process tests wait for each other.
    maxWorkers: 2,
    reporters: ['default', './test/support/closing-line.ts'],
  },
});
