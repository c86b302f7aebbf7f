/**
 * From a regular expression's text to its syntax tree, or to an error that names construct,
 * place and remedy; pure Java.
 *
 * <p>Imported by: {@code text} and {@code text.automaton}.
 *
 * <p>Owns: nothing; everything lives as long as a compilation.
 */
package io.flinkgpu.text.regex;
