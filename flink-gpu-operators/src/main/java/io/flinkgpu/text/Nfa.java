package io.flinkgpu.text;

import java.io.Serializable;

final class Nfa implements Serializable {
    private static final long serialVersionUID = 1L;
}
