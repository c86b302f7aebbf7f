/**
 * From syntax trees to byte automata (NFA, ordered DFA, minimal tables), and the linear search
 * that stands in for them; pure Java.
 *
 * <p>Imported by: {@code text} and the backends' redaction, which walk the tables.
 *
 * <p>Owns: nothing off the heap. Tables are immutable and shared by threads; a search is one
 * thread's.
 */
package io.flinkgpu.text.automaton;
