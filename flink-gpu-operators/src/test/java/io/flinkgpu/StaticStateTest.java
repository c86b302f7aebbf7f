package io.flinkgpu;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a class keeps in a static field is a constant: the process's state has the owners named here, and no
 * others. A constant is final, and all that can be reached from it is a value of the JDK that cannot change,
 * a collection that cannot, an array that only its package sees, or an object of ours all of whose fields
 * are final and constants themselves. So maps, locks, atomics and whatever holds one are found.
 *
 * <p>Covers: flink-gpu-operators/src/main/java.
 */
class StaticStateTest {

    /** Who may have state, and what. */
    private static final Set<String> OWNERS =
            Set.of(
                    "io.flinkgpu.backend.cuda.device.Devices.OF_PROCESS",
                    "io.flinkgpu.backend.auto.SharedChoices.OF_PROCESS",
                    "io.flinkgpu.operator.OffHeapBudget.OF_PROCESS");

    /** Values of the JDK and of the logging facade. */
    private static final List<Class<?>> VALUES =
            List.of(
                    String.class,
                    Integer.class,
                    Long.class,
                    Double.class,
                    Boolean.class,
                    Character.class,
                    Class.class,
                    Duration.class,
                    Pattern.class,
                    MethodHandle.class,
                    MethodType.class,
                    VarHandle.class,
                    Logger.class);

    private final Map<Object, Boolean> seen = new IdentityHashMap<>();
    private final List<String> mutable = new ArrayList<>();

    /**
     * A thread that initializes such an interface waits for one that initializes the class, and the other way round: both
     * for ever, as two subtasks did whose rules were the first that their process compiled.
     */
    @Test
    void noInterfaceHasAConstantOfAClassThatImplementsIt() throws Exception {
        List<String> constants = new ArrayList<>();
        for (JavaClass type :
                new ClassFileImporter()
                        .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                        .importPackages("io.flinkgpu")) {
            for (JavaField field : type.getFields()) {
                if (type.isInterface()
                        && field.getModifiers().contains(JavaModifier.STATIC)
                        && !field.getModifiers().contains(JavaModifier.SYNTHETIC)
                        && field.getRawType().isAssignableTo(type.getName())
                        && hasAName(field.reflect())) {
                    constants.add(field.getFullName());
                }
            }
        }
        assertThat(constants).isEmpty();
    }

    /** No one but the interface initializes a class without one. */
    private static boolean hasAName(Field constant) throws ReflectiveOperationException {
        constant.setAccessible(true);
        Class<?> of = constant.get(null).getClass();
        return !of.isHidden() && !of.isAnonymousClass();
    }

    @Test
    void onlyTheOwnersHaveState() throws Exception {
        List<String> owners = new ArrayList<>();
        for (JavaClass type :
                new ClassFileImporter()
                        .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                        .importPackages("io.flinkgpu")) {
            for (JavaField field : type.getFields()) {
                if (!field.getModifiers().contains(JavaModifier.STATIC)
                        || field.getModifiers().contains(JavaModifier.SYNTHETIC)) {
                    continue;
                }
                if (OWNERS.contains(field.getFullName())) {
                    owners.add(field.getFullName());
                } else {
                    check(field.getFullName(), field.reflect(), null);
                }
            }
        }
        assertThat(mutable).isEmpty();
        assertThat(owners).containsExactlyInAnyOrderElementsOf(OWNERS);
    }

    private void check(String name, Field field, Object owner) throws Exception {
        boolean isOpen = Modifier.isPublic(field.getModifiers()) && field.getType().isArray();
        if (!Modifier.isFinal(field.getModifiers()) || isOpen) {
            mutable.add(name);
        } else if (!field.getType().isPrimitive() && field.getType() != String.class) {
            field.setAccessible(true);
            check(name, field.get(owner));
        }
    }

    private void check(String name, Object value) throws Exception {
        if (value == null || isValue(value) || seen.put(value, true) != null) {
            return;
        }
        Class<?> type = value.getClass();
        if (type.isArray()) {
            if (value instanceof Object[] array) {
                checkAll(name, List.of(array));
            }
        } else if (value instanceof Collection<?> collection && cannotChange(type)) {
            checkAll(name, collection);
        } else if (value instanceof Map<?, ?> map && cannotChange(type)) {
            checkAll(name, map.keySet());
            checkAll(name, map.values());
        } else if (type.getName().startsWith("io.flinkgpu.")) {
            checkFields(name, value, type);
        } else {
            mutable.add(name + ": a " + type.getName());
        }
    }

    private void checkAll(String name, Collection<?> values) throws Exception {
        for (Object value : values) {
            check(name, value);
        }
    }

    private void checkFields(String name, Object value, Class<?> type) throws Exception {
        if (type.isHidden()) {
            return; // A lambda: what it captures is final, and constants capture nothing.
        }
        for (Class<?> part = type;
                part != null && part.getName().startsWith("io.flinkgpu.");
                part = part.getSuperclass()) {
            for (Field field : part.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    check(name + "." + field.getName(), field, value);
                }
            }
        }
    }

    private static boolean isValue(Object value) {
        return value instanceof Enum<?> || VALUES.stream().anyMatch(it -> it.isInstance(value));
    }

    private static boolean cannotChange(Class<?> type) {
        return type.getName().startsWith("java.util.ImmutableCollections")
                || type.getName().startsWith("java.util.Collections$Unmodifiable")
                || type.getName().startsWith("java.util.Collections$Empty");
    }

    /** The test finds what it looks for. */
    @Test
    void stateIsFound() throws Exception {
        Object[] states = {
            new Object(),
            new HashMap<>(),
            new AtomicInteger(),
            new int[1],
            new Held(new ArrayList<>())
        };
        for (Object state : states) {
            check("state", state);
        }
        check("lambda", (Runnable) () -> {});
        check("list", List.of("a", new Held(List.of())));
        assertThat(mutable)
                .containsExactly(
                        "state: a java.lang.Object",
                        "state: a java.util.HashMap",
                        "state: a java.util.concurrent.atomic.AtomicInteger",
                        "state.values: a java.util.ArrayList");
    }

    private record Held(List<String> values) {}
}
