package javax.annotation;

/** Replaces the annotation of JSR 250, which JDK 11 removed. It has no effect at run time. */
public @interface Generated {
  String value();
}
