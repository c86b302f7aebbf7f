/** From expressions to instructions that one pass over a batch follows; pure Java. */
package io.flinkgpu.program;
