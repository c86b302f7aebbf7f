package io.flinkgpu.sql.model;

import io.flinkgpu.api.lookup.Combiner;

import java.io.Serializable;

/**
 * What is in an input of a model of tables.
 *
 * @param table whose ids they are; null for numbers
 * @param combiner of their vectors; null likewise
 * @param isArray whether there are several in a row
 */
record ModelColumn(String table, Combiner combiner, boolean isArray) implements Serializable {

    private static final long serialVersionUID = 1L;

    boolean isId() {
        return table != null;
    }
}
