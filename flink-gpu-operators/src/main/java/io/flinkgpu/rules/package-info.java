/** Rule sets from files, and the built-in rule set. */
package io.flinkgpu.rules;
