/**
 * What tests of all packages are made of: oracles, the plainest programs that give the right answer; generators of random rules,
 * texts, rows, expressions and operations, which print their seed; shrinkers; harnesses of jobs and savepoints; and the fuzz tests
 * that compare all backends with the oracles. Harnesses of a single operator are beside its tests, as what they start is not public.
 */
package io.flinkgpu.testkit;
