/** Programs to read and to copy: each is one class that can be read in one go, and runs as it is. */
package io.flinkgpu.examples;
